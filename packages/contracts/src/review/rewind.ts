import { z } from 'zod';
import { Image } from '../provider.ts';
import { PlaceChoice } from '../worktree.ts';

export const ForkBody = z.object({
  /** The last turn of the fork; by default the last one that has ended. */
  turnId: z.string().min(1).optional(),
  /**
   * By default `folder`: where the session works. A new worktree starts from the session's branch unless a base is
   * given.
   */
  place: PlaceChoice.optional(),
  /** Sending the same id again returns the same fork, for a client that missed the reply. */
  clientSessionId: z.string().min(1).max(200).optional(),
});
export type ForkBody = z.infer<typeof ForkBody>;

export const RewindPlanBody = z.object({
  /** The first turn to remove; all later ones are removed too. */
  turnId: z.string().min(1),
});
export type RewindPlanBody = z.infer<typeof RewindPlanBody>;

export const LineCounts = z.object({ added: z.int().nonnegative(), removed: z.int().nonnegative() });
export type LineCounts = z.infer<typeof LineCounts>;

/** What a rewind would do, before it changes anything. */
export const RewindPlanReply = z.object({
  planId: z.string(),
  /** How many turns the rewind removes from the conversation. */
  turns: z.int().positive(),
  /** What happens to each file. One that isn't selected stays unchanged unless the user asks for it. */
  restore: z.array(
    z.object({ path: z.string(), change: z.enum(['added', 'modified', 'deleted']), selected: z.boolean() }),
  ),
  /** Others changed different lines of these too: their changes stay. */
  merge: z.array(z.string()),
  /** These no longer have the content this session left: unchanged unless the user asks for them. */
  foreign: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Lines that each file would gain and lose, by path. Binary files aren't counted, nor any if there are too many. */
  counts: z.record(z.string(), LineCounts),
  /** The last turn that stays; null if none does. */
  keeps: z.string().nullable(),
  /** What can't be restored, in sentences. */
  lost: z.array(z.string()),
});
export type RewindPlanReply = z.infer<typeof RewindPlanReply>;

export const RewindBody = z.object({
  turnId: z.string().min(1),
  planId: z.string().min(1),
  /** Files to restore that the plan would leave unchanged. */
  also: z.array(z.string()).max(10_000).optional(),
});
export type RewindBody = z.infer<typeof RewindBody>;

export const RewindReply = z.object({
  rewindId: z.string(),
  restored: z.array(z.string()),
  /** Files that changed in the meantime and were left unchanged. */
  left: z.array(z.string()),
});
export type RewindReply = z.infer<typeof RewindReply>;

/** A message as the user sent it. Its attachments are deleted together with outputs of the same age. */
export const SentMessage = z.object({
  content: z.string(),
  images: z.array(Image),
  mentions: z.array(z.string()),
});
export type SentMessage = z.infer<typeof SentMessage>;

export const UndoRewindBody = z.object({ rewindId: z.string().min(1) });
export type UndoRewindBody = z.infer<typeof UndoRewindBody>;

/** Restores files to their state before one turn, and leaves the conversation unchanged. */
export const RestoreBody = z.object({
  turnId: z.string().min(1),
  /** Only these paths; by default all files of the turn. */
  paths: z.array(z.string().min(1)).max(10_000).optional(),
});
export type RestoreBody = z.infer<typeof RestoreBody>;
