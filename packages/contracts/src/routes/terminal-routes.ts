import { z } from 'zod';
import { OpenSignInBody, OpenTerminalBody, OpenTerminalReply, TerminalsReply } from '../terminal.ts';
import type { Route } from './route.ts';

/** Shells in a project's folder. Their output and input go over the socket. */
export const terminalRoutes = {
  open: {
    method: 'POST',
    path: '/api/projects/:id/terminals',
    summary: "Opens a terminal in a project's folder",
    body: OpenTerminalBody,
    status: 201,
    reply: OpenTerminalReply,
    errors: ['PROJECT_NOT_FOUND', 'PROJECT_NOT_TRUSTED', 'PROJECT_DIR_INVALID', 'WORKTREE_NOT_FOUND', 'NOT_SUPPORTED'],
    needsTrust: true,
    machine: 'here',
  },
  list: {
    method: 'GET',
    path: '/api/projects/:id/terminals',
    summary: 'Lists the terminals of a project, ended ones included',
    reply: TerminalsReply,
    errors: ['PROJECT_NOT_FOUND', 'NOT_SUPPORTED'],
    machine: 'here',
  },
  signIn: {
    method: 'POST',
    path: '/api/providers/:id/sign-in',
    summary: "Opens a terminal that runs an agent's own sign-in, in an empty folder",
    body: OpenSignInBody,
    status: 201,
    reply: OpenTerminalReply,
    errors: ['UNSUPPORTED_CLI_TYPE', 'AGENT_NOT_INSTALLED', 'NOT_SUPPORTED'],
    machine: 'here',
  },
  remove: {
    method: 'DELETE',
    path: '/api/terminals/:id',
    summary: 'Ends a terminal and everything it started',
    status: 204,
    reply: z.null(),
    errors: ['TERMINAL_NOT_FOUND'],
    machine: 'here',
  },
} as const satisfies Record<string, Route>;
