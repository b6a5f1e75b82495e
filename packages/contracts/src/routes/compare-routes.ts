import {
  CandidateBody,
  ComparesReply,
  Comparison,
  ComparisonSummary,
  CreateCompareBody,
  KeepBody,
  ListComparesQuery,
} from '../compare.ts';
import type { Route } from './route.ts';

const found = ['COMPARE_NOT_FOUND', 'PROJECT_NOT_FOUND'] as const;
const gitErrors = ['PROJECT_NOT_TRUSTED', 'GIT_MISSING', 'NOT_A_REPOSITORY', 'GIT_BUSY', 'GIT_FAILED'] as const;

/** Routes that send one message to several agents or models, each in its own worktree from the same commit. */
export const compareRoutes = {
  create: {
    method: 'POST',
    path: '/api/compare',
    summary: 'Sends one message to two to five agents or models, each in its own worktree',
    body: CreateCompareBody,
    status: 201,
    reply: ComparisonSummary,
    errors: ['PROJECT_NOT_FOUND', 'NOT_SUPPORTED', ...gitErrors, 'UNSUPPORTED_CLI_TYPE', 'INVALID_REQUEST'],
    needsTrust: true,
    machine: 'here',
  },
  list: {
    method: 'GET',
    path: '/api/compare',
    summary: 'Lists comparisons, newest first',
    query: ListComparesQuery,
    reply: ComparesReply,
    errors: [],
    machine: 'here',
  },
  read: {
    method: 'GET',
    path: '/api/compare/:id',
    summary:
      'Reads the results of each candidate: state, changes, time, tokens, cost, check, and the files side by side',
    reply: Comparison,
    errors: ['COMPARE_NOT_FOUND'],
    machine: 'here',
  },
  retry: {
    method: 'POST',
    path: '/api/compare/:id/retry',
    summary: 'Starts a candidate again that failed to start',
    body: CandidateBody,
    reply: ComparisonSummary,
    errors: [...found, ...gitErrors, 'NOT_SUPPORTED'],
    needsTrust: true,
    machine: 'here',
  },
  check: {
    method: 'POST',
    path: '/api/compare/:id/check',
    summary: "Runs the project's check command in a candidate again",
    body: CandidateBody,
    reply: ComparisonSummary,
    errors: [...found, 'PROJECT_NOT_TRUSTED', 'NOT_SUPPORTED'],
    needsTrust: true,
    machine: 'here',
  },
  keep: {
    method: 'POST',
    path: '/api/compare/:id/keep',
    summary: 'Keeps one candidate, and parks the others shortly after; merges it into the base if asked to',
    body: KeepBody,
    reply: ComparisonSummary,
    errors: [
      ...found,
      ...gitErrors,
      'NOT_SUPPORTED',
      'TURN_RUNNING',
      'STALE',
      'CONFLICT',
      'WORKTREE_DIRTY',
      'NOTHING_TO_COMMIT',
      'HOOK_FAILED',
      'WORKTREE_NOT_FOUND',
    ],
    needsTrust: true,
    machine: 'here',
  },
  undoKeep: {
    method: 'POST',
    path: '/api/compare/:id/keep/undo',
    summary: 'Undoes keeping a candidate, until the others are parked',
    reply: ComparisonSummary,
    errors: [...found, ...gitErrors, 'NOT_SUPPORTED', 'STALE', 'WORKTREE_DIRTY'],
    needsTrust: true,
    machine: 'here',
  },
} as const satisfies Record<string, Route>;
