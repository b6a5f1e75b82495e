import type { NotKeptFile, UpsertObject } from '@liminal/contracts';
import type { TreeState } from '../../git/repository.ts';
import type { CheckpointRow } from '../../store/review-rows.ts';
import type { TurnRow } from '../../store/rows.ts';

export type RewoundTurns = {
  readonly turns: readonly TurnRow[];
  /** All checkpoints of these turns, and the usable ones. */
  readonly rows: readonly CheckpointRow[];
  readonly kept: readonly CheckpointRow[];
  readonly items: readonly UpsertObject[];
  readonly isTrusted: boolean;
  /** Why the folder can't be read now; null if it can. */
  readonly openFailure: string | null;
  /** What is true of turns recorded in another repository; null if there are none. */
  readonly elsewhere: string | null;
  /** Null if no file is involved. */
  readonly state: TreeState | null;
  /** Files whose current content can't be read. */
  readonly notKept: readonly NotKeptFile[];
};

const mostNamed = 5;

/** What a rewind of these turns doesn't restore, one sentence each. */
export function notRestored(rewound: RewoundTurns): string[] {
  const { turns, rows, kept, items, isTrusted, openFailure, elsewhere, state } = rewound;
  const lost: string[] = [];
  const missing = turns.length - kept.length;
  if (!isTrusted)
    lost.push("This folder isn't trusted, so its files weren't recorded. Only the conversation is rewound.");
  else if (openFailure !== null) lost.push(`${openFailure} Only the conversation is rewound.`);
  else if (elsewhere !== null && kept.length === 0)
    lost.push(`These turns ${elsewhere}. Only the conversation is rewound.`);
  else if (elsewhere !== null)
    lost.push(`${missing} of ${turns.length} turns ${elsewhere}: the files they changed stay as they are.`);
  else if (rows.some(({ pruned }) => pruned))
    lost.push(
      'The checkpoints of older turns were removed to save space. The files those turns changed stay as they are.',
    );
  else if (kept.length === 0) lost.push('These turns have no checkpoint. Only the conversation is rewound.');
  else if (missing > 0)
    lost.push(`${missing} of ${turns.length} turns have no checkpoint: the files they changed stay as they are.`);
  const before = kept[0]?.before;
  if (state && before && before.branch !== state.branch)
    lost.push(`The folder was on ${nameOf(before.branch)} then and is on ${nameOf(state.branch)} now; it stays there.`);
  else if (state && before && before.head !== state.head)
    lost.push('Commits made since then stay, including pushed ones. Use git to revert them.');
  const recorded = kept.flatMap(({ before: first, after }) => [...(first?.notKept ?? []), ...(after?.notKept ?? [])]);
  const large = new Map([...recorded, ...rewound.notKept].map((file) => [file.path, file]));
  for (const { path, reason } of [...large.values()].slice(0, mostNamed))
    lost.push(`"${path}" was not kept and stays as it is. ${reason}`);
  if (items.some((item) => item.type === 'tool_call' && item.toolKind === 'execute'))
    lost.push('Commands ran in these turns. What they did outside this folder stays.');
  return lost;
}

const nameOf = (branch: string | null): string => (branch === null ? 'no branch' : `branch ${branch}`);
