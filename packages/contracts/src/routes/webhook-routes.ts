import { z } from 'zod';
import { AddWebhookBody, AddWebhookReply, WebhooksReply } from '../webhooks.ts';
import type { Route } from './route.ts';

/** Addresses that receive events, signed. */
export const webhookRoutes = {
  list: {
    method: 'GET',
    path: '/api/webhooks',
    summary: 'Lists the webhooks and how their last delivery went',
    reply: WebhooksReply,
    errors: [],
    machine: 'here',
  },
  add: {
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Adds a webhook; the reply contains the secret that signs its deliveries',
    body: AddWebhookBody,
    status: 201,
    reply: AddWebhookReply,
    errors: ['INVALID_REQUEST'],
    machine: 'here',
  },
  remove: {
    method: 'DELETE',
    path: '/api/webhooks/:id',
    summary: 'Removes a webhook and its undelivered events',
    status: 204,
    reply: z.null(),
    errors: ['NOT_FOUND'],
    machine: 'here',
  },
} as const satisfies Record<string, Route>;
