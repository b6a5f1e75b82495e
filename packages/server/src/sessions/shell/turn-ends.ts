import { closeTurn } from '@liminal/domain/session/close-turn';
import type { AgentFact } from '@liminal/domain/session/fact';
import type { Session } from '@liminal/domain/session/session';
import type { ProviderError } from '../../providers/provider-error.ts';

export type TurnEndsDeps = {
  readonly sessionId: string;
  readonly session: () => Session;
  readonly now: () => string;
  readonly accept: (facts: readonly AgentFact[]) => void;
};

/** Ends turns that their agent does not end itself. */
export function createTurnEnds({ sessionId, session, now, accept }: TurnEndsDeps) {
  const failure = (turnId: string, { code, message }: ProviderError) =>
    ({ type: 'turn_error', turnId, sessionId, errorCode: code, errorMessage: message }) as const;
  return {
    /** Without an error the turn was cancelled. */
    endTurn(turnId: string, error: ProviderError | null): void {
      const cancelled = { type: 'turn_complete', turnId, sessionId, status: 'cancelled' } as const;
      accept(closeTurn(session(), error ? failure(turnId, error) : cancelled, now()));
    },
    /** The agent could not be resumed: a turn that waited for it fails, and messages wait until a person opens it. */
    failedToStart(error: ProviderError): void {
      const at = now();
      const { turn } = session();
      const ended = turn ? closeTurn(session(), failure(turn.turnId, error), at) : [];
      accept([...ended, { type: 'load-failed', error: { code: error.code, message: error.message, at } }]);
    },
  };
}
