import { z } from 'zod';
import { IsoTime } from './upsert.ts';

export const SessionState = z.enum(['open', 'loading', 'dead']);
export type SessionState = z.infer<typeof SessionState>;

/** `waiting`: a permission request is open; `asleep`: no process, the next message wakes it. */
export const SessionActivity = z.enum(['idle', 'working', 'waiting', 'asleep']);
export type SessionActivity = z.infer<typeof SessionActivity>;

export const SessionError = z.object({ code: z.string(), message: z.string(), at: IsoTime });
export type SessionError = z.infer<typeof SessionError>;

/** The same wherever a status appears. */
export const SessionStatus = z.object({
  state: SessionState,
  activity: SessionActivity,
  isAlive: z.boolean(),
  lastError: SessionError.optional(),
});
export type SessionStatus = z.infer<typeof SessionStatus>;
