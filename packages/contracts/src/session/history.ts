import { z } from 'zod';
import { PermissionRequest } from './permission.ts';
import { QueuedMessage } from './queue.ts';
import { SessionInfo } from './session-info.ts';
import { SessionStatus } from './session.ts';
import { TurnRecord } from './turn-event.ts';
import { UpsertObject } from './upsert.ts';

/** Everything a reader holds about a session; replaces what it held before. */
export const SessionHistory = z.object({
  /** Sorted by `order`. */
  entries: z.array(UpsertObject),
  turns: z.array(TurnRecord),
  hasMore: z.boolean(),
  /** Only open ones. */
  permissions: z.array(PermissionRequest),
  queue: z.array(QueuedMessage),
  status: SessionStatus,
  info: SessionInfo,
});
export type SessionHistory = z.infer<typeof SessionHistory>;

/** One older page: whole turns, oldest first. */
export const HistoryPage = z.object({
  entries: z.array(UpsertObject),
  turns: z.array(TurnRecord),
  nextBefore: z.string().nullable(),
});
export type HistoryPage = z.infer<typeof HistoryPage>;
