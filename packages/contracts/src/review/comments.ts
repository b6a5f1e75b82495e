import { z } from 'zod';
import { ChangeScope } from './changes.ts';
import { IsoTime } from '../session/upsert.ts';

export const CommentState = z.enum(['draft', 'sent', 'resolved']);
export type CommentState = z.infer<typeof CommentState>;
export const CommentSide = z.enum(['old', 'new']);
export type CommentSide = z.infer<typeof CommentSide>;

/** A comment on lines of a change. It keeps the lines it was written on; `startLine` and `endLine` follow them. */
export const ReviewComment = z.object({
  commentId: z.string().min(1),
  scope: ChangeScope,
  turnId: z.string().optional(),
  /** The base the user chose, for scope `base`. */
  base: z.string().optional(),
  path: z.string(),
  side: CommentSide,
  /** 1-based, inclusive. */
  startLine: z.int().positive(),
  endLine: z.int().positive(),
  quote: z.string(),
  text: z.string(),
  state: CommentState,
  /** The quoted lines are no longer in the file. */
  outdated: z.boolean(),
  createdAt: IsoTime,
  sentTurnId: z.string().optional(),
});
export type ReviewComment = z.infer<typeof ReviewComment>;

const commentText = z.string().trim().min(1).max(20_000);

export const AddCommentBody = z
  .object({
    scope: ChangeScope,
    turnId: z.string().min(1).optional(),
    /** The same as in the request to `changes/file`. */
    base: z.string().min(1).max(1000).optional(),
    path: z.string().min(1).max(10_000),
    side: CommentSide,
    startLine: z.int().positive(),
    endLine: z.int().positive(),
    text: commentText,
    /** The id of the commented content from `changes/file`: `oldId` or `newId`. */
    blobId: z.string().min(1).optional(),
  })
  .refine(({ startLine, endLine }) => endLine >= startLine, { path: ['endLine'], message: 'Ends before it starts' });
export type AddCommentBody = z.infer<typeof AddCommentBody>;
export const EditCommentBody = z.object({
  text: commentText.optional(),
  /** Only sending a review sets `sent`. */
  state: z.enum(['draft', 'resolved']).optional(),
});
export type EditCommentBody = z.infer<typeof EditCommentBody>;
export const CommentsReply = z.object({ comments: z.array(ReviewComment) });
export type CommentsReply = z.infer<typeof CommentsReply>;

export const SendReviewBody = z
  .object({
    mode: z.enum(['queue', 'steer']).optional(),
    /** Shown above the comments. */
    note: z.string().max(100_000).optional(),
    clientMessageId: z.string().min(1).max(200).optional(),
  })
  .nullish()
  .transform((body) => body ?? {});
export type SendReviewBody = z.output<typeof SendReviewBody>;
export const SendReviewReply = z.object({ turnId: z.string(), commentIds: z.array(z.string()) });
export type SendReviewReply = z.infer<typeof SendReviewReply>;
