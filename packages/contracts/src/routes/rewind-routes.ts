import { CreateSessionReply } from '../http.ts';
import { DiscardReply } from '../review/changes.ts';
import {
  ForkBody,
  RestoreBody,
  RewindBody,
  RewindPlanBody,
  RewindPlanReply,
  RewindReply,
  SentMessage,
  UndoRewindBody,
} from '../review/rewind.ts';
import type { Route } from './route.ts';

const found = ['SESSION_NOT_FOUND', 'PROJECT_NOT_FOUND', 'NODE_UNREACHABLE'] as const;
const points = ['TURN_NOT_FOUND', 'TURN_RUNNING', 'NOT_SUPPORTED'] as const;
const git = ['GIT_MISSING', 'GIT_BUSY', 'GIT_FAILED'] as const;
const worktree = ['PROJECT_DIR_INVALID', 'WORKTREE_NOT_FOUND'] as const;
const agent = ['AGENT_NOT_INSTALLED', 'AGENT_AUTH_REQUIRED', 'AGENT_UNRESPONSIVE', 'SESSION_CREATE_FAILED'] as const;

/** Continuing from an earlier turn: in a fork, or in the session itself. */
export const rewindRoutes = {
  fork: {
    method: 'POST',
    path: '/api/session/:id/fork',
    summary: 'Forks a session after a turn',
    body: ForkBody,
    status: 201,
    reply: CreateSessionReply,
    errors: [...found, ...points, ...agent, ...git, ...worktree, 'PROJECT_NOT_TRUSTED'],
    machine: 'session',
  },
  planRewind: {
    method: 'POST',
    path: '/api/session/:id/rewind/plan',
    summary: 'Reports what rewinding a turn and all later ones would do',
    body: RewindPlanBody,
    reply: RewindPlanReply,
    errors: [...found, ...points, ...git],
    machine: 'session',
  },
  rewind: {
    method: 'POST',
    path: '/api/session/:id/rewind',
    summary: 'Rewinds a turn and all later ones: the conversation and the files',
    body: RewindBody,
    reply: RewindReply,
    errors: [...found, ...points, ...agent, ...git, 'STALE'],
    machine: 'session',
  },
  undoRewind: {
    method: 'POST',
    path: '/api/session/:id/rewind/undo',
    summary: 'Undoes a rewind, until the next message is sent',
    body: UndoRewindBody,
    reply: RewindReply,
    errors: [...found, ...git, ...worktree, 'TURN_RUNNING', 'CHECKPOINT_NOT_FOUND', 'STALE', 'PROJECT_NOT_TRUSTED'],
    machine: 'session',
  },
  sentMessage: {
    method: 'GET',
    path: '/api/session/:id/turns/:turnId/message',
    summary: 'Reads the message of a turn as it was sent, to edit it and send it again',
    reply: SentMessage,
    errors: [...found, 'TURN_NOT_FOUND'],
    machine: 'session',
  },
  restore: {
    method: 'POST',
    path: '/api/session/:id/restore',
    summary: 'Restores files to their state before a turn',
    body: RestoreBody,
    reply: DiscardReply,
    errors: [...found, ...git, 'PROJECT_NOT_TRUSTED', 'CHECKPOINT_NOT_FOUND', 'STALE', 'CONFLICT'],
    needsTrust: true,
    machine: 'session',
  },
} as const satisfies Record<string, Route>;
