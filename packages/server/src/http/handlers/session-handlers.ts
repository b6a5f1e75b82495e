import { fail } from '@liminal/contracts';
import type { AppDeps } from '../build-app.ts';
import { exportSession } from './export-session.ts';
import type { Handlers } from './handlers.ts';

const alone = fail('NOT_SUPPORTED', 'This machine runs alone. There is no other machine to take over a session from.');

/** Most routes are methods of the session service with the same name. Only the others are written out here. */
export function sessionHandlers({ sessions, cluster }: AppDeps): Handlers['session'] {
  return {
    ...sessions,
    send: (sessionId, body) => sessions.send(sessionId, body),
    answer: (sessionId, answer) => sessions.answer(sessionId, answer),
    export: {
      withExchange: (exchange, sessionId, { format }) => exportSession(sessions, exchange, sessionId, format),
    },
    takeOver: (sessionId) => (cluster ? cluster.takeOver(sessionId) : alone),
  };
}
