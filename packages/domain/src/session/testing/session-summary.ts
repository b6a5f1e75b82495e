import type { SessionSummary } from '@liminal/contracts';
import { at } from './play-session.ts';

/** A session of the demo agent that waits for a message. */
export const sessionSummary = (part: Partial<SessionSummary> = {}): SessionSummary => ({
  sessionId: 's',
  cliType: 'demo',
  projectId: 'p',
  title: 'Title',
  createdAt: at,
  updatedAt: at,
  status: 'open',
  activity: 'idle',
  isAlive: true,
  archived: false,
  ...part,
});
