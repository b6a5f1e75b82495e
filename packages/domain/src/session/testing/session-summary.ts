import type { SessionSummary } from '@liminal/contracts';
import { at } from './play-session.ts';

/** An idle session of the demo agent. */
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
