import { z } from 'zod';
import { ChangedFileQuery, ChangedFileReply, ChangesQuery, ChangesReply } from '../changes.ts';
import {
  AddCommentBody,
  CommentsReply,
  EditCommentBody,
  ReviewComment,
  SendReviewBody,
  SendReviewReply,
} from '../comments.ts';
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
  prepareTurn: {
    method: 'POST',
    path: '/api/session/:id/prepare',
    summary: 'The person began to type: gets ready to record the folder',
    status: 204,
    reply: z.null(),
    errors: found,
    machine: 'session',
  },
  comments: {
    method: 'GET',
    path: '/api/session/:id/comments',
    summary: 'Lists the comments on the changes of a session',
    reply: CommentsReply,
    errors: found,
    machine: 'session',
  },
  addComment: {
    method: 'POST',
    path: '/api/session/:id/comments',
    summary: 'Comments on lines of a change',
    body: AddCommentBody,
    status: 201,
    reply: ReviewComment,
    errors: [...found, 'TURN_NOT_FOUND', 'FILE_NOT_FOUND', 'PATH_REFUSED', 'STALE', 'GIT_FAILED', 'GIT_MISSING'],
    machine: 'session',
  },
  editComment: {
    method: 'PATCH',
    path: '/api/session/:id/comments/:commentId',
    summary: 'Changes a comment, resolves it or opens it again',
    body: EditCommentBody,
    reply: ReviewComment,
    errors: [...found, 'COMMENT_NOT_FOUND'],
    machine: 'session',
  },
  removeComment: {
    method: 'DELETE',
    path: '/api/session/:id/comments/:commentId',
    summary: 'Deletes a comment',
    status: 204,
    reply: z.null(),
    errors: [...found, 'COMMENT_NOT_FOUND'],
    machine: 'session',
  },
  review: {
    method: 'POST',
    path: '/api/session/:id/review',
    summary: 'Sends every draft comment to the agent as one message',
    body: SendReviewBody,
    status: 202,
    reply: SendReviewReply,
    errors: [...found, 'SESSION_DEAD', 'NOT_SUPPORTED', 'PROJECT_NOT_TRUSTED'],
    machine: 'session',
  },
} as const satisfies Record<string, Route>;
