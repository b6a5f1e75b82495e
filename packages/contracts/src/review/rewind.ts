import { z } from 'zod';
import { Image } from '../provider.ts';
import { PlaceChoice } from '../worktree.ts';

export const ForkBody = z.object({
  /** The last turn the copy has; without it the last one that has ended. */
  turnId: z.string().min(1).optional(),
  /** `folder`, also if left out: where the session works. A new worktree starts from its branch unless a base is named. */
  place: PlaceChoice.optional(),
  /** The same id again gives the same copy, for a client that did not get the answer. */
  clientSessionId: z.string().min(1).max(200).optional(),
});
export type ForkBody = z.infer<typeof ForkBody>;

export const RewindPlanBody = z.object({
  /** The first turn that is taken back; all after it go too. */
  turnId: z.string().min(1),
});
export type RewindPlanBody = z.infer<typeof RewindPlanBody>;

export const LineCounts = z.object({ added: z.int().nonnegative(), removed: z.int().nonnegative() });
export type LineCounts = z.infer<typeof LineCounts>;

/** What taking turns back would do, before anything is touched. */
export const RewindPlanReply = z.object({
  planId: z.string(),
  /** How many turns leave the conversation. */
  turns: z.int().positive(),
  /** What happens to each file; one that is not selected stays as it is unless it is asked for. */
  restore: z.array(
    z.object({ path: z.string(), change: z.enum(['added', 'modified', 'deleted']), selected: z.boolean() }),
  ),
  /** Others changed these too, in other lines: their changes stay. */
  merge: z.array(z.string()),
  /** Not what this session left: untouched unless asked for. */
  foreign: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** How many lines each of these files would gain and lose, by path. Binary and very many files aren't counted. */
  counts: z.record(z.string(), LineCounts),
  /** The last turn that stays; null where none does. */
  keeps: z.string().nullable(),
  /** What cannot come back, in sentences. */
  lost: z.array(z.string()),
});
export type RewindPlanReply = z.infer<typeof RewindPlanReply>;

export const RewindBody = z.object({
  turnId: z.string().min(1),
  planId: z.string().min(1),
  /** Files that are to be restored although the plan would leave them. */
  also: z.array(z.string()).max(10_000).optional(),
});
export type RewindBody = z.infer<typeof RewindBody>;

export const RewindReply = z.object({
  rewindId: z.string(),
  restored: z.array(z.string()),
  /** Changed in between, so nothing was done to them. */
  left: z.array(z.string()),
});
export type RewindReply = z.infer<typeof RewindReply>;

/** A message as a user sent it. What went along with it is gone once outputs of that age are no longer kept. */
export const SentMessage = z.object({
  content: z.string(),
  images: z.array(Image),
  mentions: z.array(z.string()),
});
export type SentMessage = z.infer<typeof SentMessage>;

export const UndoRewindBody = z.object({ rewindId: z.string().min(1) });
export type UndoRewindBody = z.infer<typeof UndoRewindBody>;

/** Brings files of one turn back to what they were before it, and leaves the conversation. */
export const RestoreBody = z.object({
  turnId: z.string().min(1),
  /** Only these; all of the turn without. */
  paths: z.array(z.string().min(1)).max(10_000).optional(),
});
export type RestoreBody = z.infer<typeof RestoreBody>;
