import type { Candidate, ProviderSummary } from '@liminal/contracts';
import { formatCost, formatCount, formatDuration } from '../../ui/format.ts';

const states: Record<Candidate['state'], string> = {
  starting: 'Starting',
  working: 'Working',
  waiting: 'Needs you',
  done: 'Done',
  stopped: 'Stopped',
  failed: 'Failed',
  parked: 'Parked',
};

export const stateText = ({ state }: Candidate): string => states[state];

/** The agent's name, with the model if one was chosen. */
function candidateName({ cliType, modelId }: Candidate, providers: readonly ProviderSummary[]): string {
  const name = providers.find((each) => each.cliType === cliType)?.name ?? cliType;
  return modelId === undefined ? name : `${name} · ${modelId}`;
}

/** Numbers candidates that have the same name. */
export function candidateNames(
  candidates: readonly Candidate[],
  providers: readonly ProviderSummary[],
): ReadonlyMap<string, string> {
  const names = candidates.map((each) => candidateName(each, providers));
  return new Map(
    candidates.map(({ candidateId }, place) => {
      const name = names[place] ?? '';
      const same = names.flatMap((each, at) => (each === name ? [at] : []));
      return [candidateId, same.length > 1 ? `${name} (${same.indexOf(place) + 1})` : name];
    }),
  );
}

export const timeText = ({ durationMs }: Candidate): string =>
  durationMs === undefined ? '–' : formatDuration(durationMs);

export const tokensText = ({ usage }: Candidate): string =>
  usage === undefined ? '–' : formatCount(usage.inputTokens + usage.outputTokens);

export const costText = ({ costUsd }: Candidate): string => (costUsd === undefined ? '–' : formatCost(costUsd));

export function checkText({ check }: Candidate): string {
  switch (check?.state) {
    case 'running':
      return 'Running…';
    case 'passed':
      return 'Passed';
    case 'failed':
      return check.exitCode === null ? 'Failed' : `Failed (exit code ${check.exitCode})`;
    case undefined:
      return '–';
  }
}
