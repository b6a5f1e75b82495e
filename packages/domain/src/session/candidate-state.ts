import type { CandidateState, TurnTerminal, Usage } from '@liminal/contracts';

/** The known facts about a candidate: how far its start got, and its turns, oldest first. */
export type CandidateFacts = {
  readonly start: 'starting' | 'started' | 'failed';
  readonly parked: boolean;
  /** It is asking the user something. */
  readonly asks: boolean;
  readonly turns: readonly CandidateTurn[];
};
export type CandidateTurn = {
  readonly state: string;
  /** From its start to its end, or to now; null before the start. */
  readonly ranMs: number | null;
  readonly ended: TurnTerminal | null;
};

/** A candidate's state. Once it has started, that is the state of its newest turn. */
export function candidateState({ start, parked, asks, turns }: CandidateFacts): CandidateState {
  if (parked) return 'parked';
  if (start !== 'started') return start;
  if (asks) return 'waiting';
  switch (turns.at(-1)?.state) {
    case 'completed':
      return 'done';
    case 'cancelled':
    case 'withdrawn':
    case undefined:
      return 'stopped';
    case 'failed':
    case 'unknown':
      return 'failed';
    default:
      return 'working';
  }
}

export type CandidateEffort = {
  readonly durationMs?: number;
  readonly usage?: Usage;
  readonly costUsd?: number;
};

/** What all turns of a candidate used together; a running turn counts up to now. Unreported values are left out. */
export function candidateEffort(turns: readonly CandidateTurn[]): CandidateEffort {
  const times = turns.flatMap(({ ended, ranMs }) => ended?.durationMs ?? ranMs ?? []);
  const usages = turns.flatMap(({ ended }) => (ended?.usage ? [ended.usage] : []));
  const costs = turns.flatMap(({ ended }) => (ended?.costUsd === undefined ? [] : [ended.costUsd]));
  return {
    ...(times.length > 0 && { durationMs: sum(times) }),
    ...(usages.length > 0 && { usage: usages.reduce(addUsage) }),
    ...(costs.length > 0 && { costUsd: sum(costs) }),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

function addUsage(a: Usage, b: Usage): Usage {
  const read = (a.cacheReadInputTokens ?? 0) + (b.cacheReadInputTokens ?? 0);
  const made = (a.cacheCreationInputTokens ?? 0) + (b.cacheCreationInputTokens ?? 0);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(read > 0 && { cacheReadInputTokens: read }),
    ...(made > 0 && { cacheCreationInputTokens: made }),
  };
}
