import { ChangedFileQuery, ChangedFileReply, ChangesQuery, ChangesReply } from '../changes.ts';
import type { Route } from './route.ts';

const found = ['SESSION_NOT_FOUND', 'PROJECT_NOT_FOUND', 'NODE_UNREACHABLE'] as const;

/** What changed in a session's folder, and what a person does about it. */
export const reviewRoutes = {
  changes: {
    method: 'GET',
    path: '/api/session/:id/changes',
    summary: 'Lists what changed in the folder of a session',
    query: ChangesQuery,
    reply: ChangesReply,
    errors: [...found, 'TURN_NOT_FOUND'],
    machine: 'session',
  },
  changedFile: {
    method: 'GET',
    path: '/api/session/:id/changes/file',
    summary: 'Reads the patch of one changed file',
    query: ChangedFileQuery,
    reply: ChangedFileReply,
    errors: [...found, 'TURN_NOT_FOUND', 'FILE_NOT_FOUND', 'PATH_REFUSED', 'GIT_FAILED', 'GIT_MISSING'],
    machine: 'session',
  },
} as const satisfies Record<string, Route>;
