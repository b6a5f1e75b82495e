import { CreateSessionReply } from '../http.ts';
import { ForkBody } from '../rewind.ts';
import type { Route } from './route.ts';

const found = ['SESSION_NOT_FOUND', 'PROJECT_NOT_FOUND', 'NODE_UNREACHABLE'] as const;
const points = ['TURN_NOT_FOUND', 'TURN_RUNNING', 'NOT_SUPPORTED'] as const;
const agent = ['AGENT_NOT_INSTALLED', 'AGENT_AUTH_REQUIRED', 'AGENT_UNRESPONSIVE', 'SESSION_CREATE_FAILED'] as const;

/** Going on from an earlier turn: in a copy, or in the session itself. */
export const rewindRoutes = {
  fork: {
    method: 'POST',
    path: '/api/session/:id/fork',
    summary: 'Copies a session up to and with a turn',
    body: ForkBody,
    status: 201,
    reply: CreateSessionReply,
    errors: [...found, ...points, ...agent, 'PROJECT_NOT_TRUSTED'],
    machine: 'session',
  },
} as const satisfies Record<string, Route>;
