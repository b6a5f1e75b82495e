import { z } from 'zod';
import { AttentionKind, LastEnded, OpenAsk, RunningWork, SessionMarks } from './attention.ts';
import { NodeMark } from '../cluster.ts';
import { SessionPlace } from '../worktree.ts';
import { CliType } from '../provider.ts';
import { IsoTime } from './upsert.ts';

export const SessionState = z.enum(['open', 'loading', 'dead']);
export type SessionState = z.infer<typeof SessionState>;

/** `waiting`: a permission request is open; `asleep`: no process, the next message starts one. */
export const SessionActivity = z.enum(['idle', 'working', 'waiting', 'asleep']);
export type SessionActivity = z.infer<typeof SessionActivity>;

export const SessionError = z.object({ code: z.string(), message: z.string(), at: IsoTime });
export type SessionError = z.infer<typeof SessionError>;

/** Has the same shape wherever a status appears. */
export const SessionStatus = z.object({
  state: SessionState,
  activity: SessionActivity,
  isAlive: z.boolean(),
  lastError: SessionError.optional(),
});
export type SessionStatus = z.infer<typeof SessionStatus>;

/** Set if an agent asked for the session. */
export const SessionOrigin = z.object({
  /** That agent's own session, if it runs in this workbench. */
  sessionId: z.string().min(1).optional(),
  /** 1 if a user's session started it, 2 if such a session started it, and so on. */
  depth: z.int().min(1),
});
export type SessionOrigin = z.infer<typeof SessionOrigin>;

/** A session in a list. `status` is `SessionStatus.state`; the other status fields are next to it. */
export const SessionSummary = z.object({
  sessionId: z.string().min(1),
  cliType: CliType,
  projectId: z.string().min(1),
  title: z.string(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  status: SessionState,
  activity: SessionActivity,
  isAlive: z.boolean(),
  lastError: SessionError.optional(),
  archived: z.boolean(),
  node: NodeMark.optional(),
  /** Absent before the first turn has ended. */
  ended: LastEnded.optional(),
  /** While a turn runs. */
  working: RunningWork.optional(),
  /** While a permission request is open. */
  asks: OpenAsk.optional(),
  marks: SessionMarks.optional(),
  startedBy: SessionOrigin.optional(),
  /** Missing if the project is gone, and from machines with an older build. */
  place: SessionPlace.optional(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

/** A session as the list route returns it. */
export const ListedSession = SessionSummary.extend({ attention: AttentionKind });
export type ListedSession = z.infer<typeof ListedSession>;
