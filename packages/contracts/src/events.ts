import { z } from 'zod';
import { CliType } from './provider.ts';
import { IsoTime } from './session/upsert.ts';

/** What other programs want to know of: never the text of a session, only that something happened in it. */
export const EventKind = z.enum(['session-created', 'session-removed', 'needs-you', 'turn-ended', 'turn-failed']);
export type EventKind = z.infer<typeof EventKind>;

export const WorkbenchEvent = z.object({
  /** Also the cursor behind this event. */
  id: z.string().min(1),
  at: IsoTime,
  kind: EventKind,
  sessionId: z.string().min(1),
  projectId: z.string().min(1),
  cliType: CliType,
  title: z.string(),
  /** Of `needs-you`. */
  requestId: z.string().optional(),
  /** Of `turn-failed`. */
  errorCode: z.string().optional(),
});
export type WorkbenchEvent = z.infer<typeof WorkbenchEvent>;

export const EventsQuery = z.object({
  /** The `next` of the reply before; without it, the events that are still kept. */
  after: z.string().min(1).max(200).optional(),
  /** Seconds to wait for an event where there is none yet. */
  wait: z.coerce.number().min(0).max(60).optional(),
});
export type EventsQuery = z.infer<typeof EventsQuery>;

export const EventsReply = z.object({
  events: z.array(WorkbenchEvent),
  next: z.string(),
  /** Events between `after` and these are no longer kept: list the sessions again. */
  missed: z.boolean().optional(),
});
export type EventsReply = z.infer<typeof EventsReply>;
