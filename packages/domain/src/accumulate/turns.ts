import type { TurnEvent, TurnStarted, Usage } from '@liminal/contracts';
import type { Emission } from './emission.ts';
import type { Identity } from './emit-item.ts';

export type TurnStart = {
  readonly turnId: string;
  readonly modelId?: string | undefined;
  /** Only if it differs from the accumulator's own. */
  readonly providerId?: string | undefined;
  readonly initiator?: TurnStarted['initiator'];
};

type TurnTotals = {
  readonly usage?: Usage | undefined;
  readonly costUsd?: number | undefined;
  readonly durationMs?: number | undefined;
};

/** How a turn ended. */
export type TurnOutcome =
  | ({ readonly status: 'completed' | 'cancelled' } & TurnTotals)
  | ({ readonly status: 'failed'; readonly errorCode: string; readonly errorMessage: string } & TurnTotals);

/** The events of each turn: one start and one terminal, even if the agent repeats them. */
export type Turns = {
  start(turn: TurnStart): readonly Emission[];
  /** The terminal event, after the start if that was never emitted; nothing for a turn that is over. */
  end(turnId: string, outcome: TurnOutcome): readonly Emission[];
  isOver(turnId: string): boolean;
};

export function createTurns(identity: Identity): Turns {
  const started = new Set<string>();
  /** A terminal may be repeated much later (a `result` after an interrupt), so ids are kept. */
  const over = new Set<string>();

  const start = (turn: TurnStart): readonly Emission[] => {
    if (started.has(turn.turnId) || over.has(turn.turnId)) return [];
    started.add(turn.turnId);
    return [
      turnEmission({
        type: 'turn_started',
        turnId: turn.turnId,
        sessionId: identity.sessionId,
        modelId: turn.modelId ?? 'unknown',
        providerId: turn.providerId ?? identity.providerId,
        ...(turn.initiator !== undefined && { initiator: turn.initiator }),
      }),
    ];
  };

  return {
    start,
    end(turnId, outcome) {
      if (over.has(turnId)) return [];
      const emissions = [...start({ turnId }), turnEmission(terminal(identity.sessionId, turnId, outcome))];
      started.delete(turnId);
      over.add(turnId);
      return emissions;
    },
    isOver: (turnId) => over.has(turnId),
  };
}

function terminal(sessionId: string, turnId: string, outcome: TurnOutcome): TurnEvent {
  const totals = {
    ...(outcome.usage !== undefined && { usage: outcome.usage }),
    ...(outcome.costUsd !== undefined && { costUsd: outcome.costUsd }),
    ...(outcome.durationMs !== undefined && { durationMs: outcome.durationMs }),
  };
  if (outcome.status === 'failed') {
    const { errorCode, errorMessage } = outcome;
    return { type: 'turn_error', turnId, sessionId, errorCode, errorMessage, ...totals };
  }
  return { type: 'turn_complete', turnId, sessionId, status: outcome.status, ...totals };
}

const turnEmission = (event: TurnEvent): Emission => ({ kind: 'turn', event });
