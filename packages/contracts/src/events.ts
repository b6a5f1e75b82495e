import { z } from 'zod';
import { CliType } from './provider.ts';
import { IsoTime } from './session/upsert.ts';

/** Events for other programs. They never contain the text of a session, only that something happened in it. */
export const EventKind = z.enum(['session-created', 'session-removed', 'needs-you', 'turn-ended', 'turn-failed']);
export type EventKind = z.infer<typeof EventKind>;

export const WorkbenchEvent = z.object({
  /** Also the cursor that points behind this event. */
  id: z.string().min(1),
  at: IsoTime,
  kind: EventKind,
  sessionId: z.string().min(1),
  projectId: z.string().min(1),
  cliType: CliType,
  title: z.string(),
  /** Only for `needs-you`. */
  requestId: z.string().optional(),
  /** Only for `turn-failed`. */
  errorCode: z.string().optional(),
});
export type WorkbenchEvent = z.infer<typeof WorkbenchEvent>;

export const EventsQuery = z.object({
  /** `next` from the previous reply. Without it, all events that are still stored. */
  after: z.string().min(1).max(200).optional(),
  /** How many seconds to wait if there is no event yet. */
  wait: z.coerce.number().min(0).max(60).optional(),
});
export type EventsQuery = z.infer<typeof EventsQuery>;

export const EventsReply = z.object({
  events: z.array(WorkbenchEvent),
  next: z.string(),
  /** Events after `after` were lost before these: list the sessions again. */
  missed: z.boolean().optional(),
});
export type EventsReply = z.infer<typeof EventsReply>;
