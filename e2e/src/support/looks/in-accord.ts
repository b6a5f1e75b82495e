import type { OpenAsk, SessionHistory } from '@liminal/contracts';
import { type Around, sessionId } from '../scripted-server.ts';
import { now } from './sample-workbench.ts';

/** The sidebar's status of the shown session matches its conversation. */
export function inAccord(around: Around, { status, turns = [], entries = [] }: Partial<SessionHistory>): Around {
  const isAsking = status?.activity === 'waiting';
  const last = turns.at(-1)?.ended;
  return {
    ...around,
    sessions: (around.sessions ?? []).map((each) => {
      if (each.sessionId !== sessionId || status?.activity === 'working') return each;
      const { working: _, ended, ...idle } = each;
      if (isAsking) {
        const asked: OpenAsk = {
          requestId: 'asked',
          kind: 'tool',
          title: 'npm test',
          options: [],
          openedAt: now,
          count: 1,
        };
        return { ...idle, activity: 'waiting', working: { since: now }, asks: asked };
      }
      const failed = last?.type === 'turn_error' ? { code: last.errorCode, message: last.errorMessage, at: now } : null;
      return {
        ...idle,
        activity: 'idle',
        ...(entries.length > 0 && ended && { ended }),
        ...(failed && { lastError: failed }),
      };
    }),
  };
}
