import { z } from 'zod';
import { PermissionOption } from './permission.ts';
import { IsoTime } from './upsert.ts';

/** What a session needs from the user. Always derived, never stored. */
export const AttentionKind = z.enum(['needs-you', 'failed', 'done', 'working', 'paused', 'unknown', 'idle']);
export type AttentionKind = z.infer<typeof AttentionKind>;

/** Files and lines that edits changed. */
export const ChangeCount = z.object({
  files: z.int().nonnegative(),
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
});
export type ChangeCount = z.infer<typeof ChangeCount>;

/** The last turn that ended, or a failure outside of any turn. */
export const LastEnded = z.object({ id: z.string().min(1), at: IsoTime, changed: ChangeCount.optional() });
export type LastEnded = z.infer<typeof LastEnded>;

/** The running turn: when it started, and its current tool call. */
export const RunningWork = z.object({ since: IsoTime, doing: z.string().optional() });
export type RunningWork = z.infer<typeof RunningWork>;

/** The oldest open permission request of a session, short enough for a list. */
export const OpenAsk = z.object({
  requestId: z.string().min(1),
  kind: z.enum(['tool', 'plan', 'question', 'form']),
  title: z.string(),
  /**
   * Everything the user would allow, on one line. Missing if there is more to see: then the user has to open the
   * session.
   */
  whole: z.string().optional(),
  options: z.array(PermissionOption),
  openedAt: IsoTime,
  /** How many requests are open in all. */
  count: z.int().positive(),
});
export type OpenAsk = z.infer<typeof OpenAsk>;

/** Hides a session from the inbox until a time, or with `until: null` until its attention changes. */
export const Snooze = z.object({ until: IsoTime.nullable(), key: z.string() });
export type Snooze = z.infer<typeof Snooze>;

/** How the user marked a session; stored on the server, so it's the same on all devices. */
export const SessionMarks = z.object({
  /** The `id` of the `LastEnded` that was seen. */
  seen: z.string().optional(),
  /** The user marked it as unread. */
  unread: z.boolean().optional(),
  pinned: z.boolean().optional(),
  snoozed: Snooze.optional(),
});
export type SessionMarks = z.infer<typeof SessionMarks>;
