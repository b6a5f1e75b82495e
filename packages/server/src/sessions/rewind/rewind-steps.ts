import { ok, type Result } from '@liminal/contracts';
import type { WorkingTree } from '../../git/git.ts';
import type { Restored } from '../../git/restore/restore-files.ts';
import type { CliProvider } from '../../providers/provider.ts';
import type { RewindRow } from '../../store/review-rows.ts';
import type { StoreWrite, TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';

export type StepDeps = {
  readonly store: Store;
  readonly provider: Pick<CliProvider, 'rebind'>;
  /** The folder's working tree; null if git may not run there now. */
  readonly tree: WorkingTree | null;
  /** Durable once it resolves; readers get a new history if turns are removed or restored. */
  readonly write: (writes: readonly StoreWrite[], isNewHistory: boolean) => Promise<void>;
};

/**
 * The second half of a rewind or its undo: the files, then the conversation, in one write with the row's new state.
 * Every step can be repeated, so a start after a crash completes it the same way. If the disk rejects a file or the
 * conversation, everything is reverted.
 */
export async function finishSteps(deps: StepDeps, row: RewindRow): Promise<Result<Restored>> {
  const { store, write } = deps;
  const isUndo = row.state === 'undoing';
  const [there, back] = isUndo ? (['back', 'forward'] as const) : (['forward', 'back'] as const);
  const revert = async (): Promise<void> => {
    await applied(deps.tree, row, back);
    await write([{ type: 'put-rewind', row: { ...row, state: isUndo ? 'done' : 'dropped', isBound: true } }], false);
  };
  const files = await applied(deps.tree, row, there);
  if (!files.ok) {
    await revert();
    return files;
  }
  const turns = row.turnIds.flatMap((turnId) => store.turn(row.sessionId, turnId) ?? []);
  const moved = turns.map((turn) => (isUndo ? restoredTurn(turn) : rewoundTurn(turn, row.rewindId)));
  const done: RewindRow = { ...row, state: isUndo ? 'undone' : 'done', isBound: false };
  await write(
    [...moved.map((turn) => ({ type: 'put-turn', row: turn }) as const), { type: 'put-rewind', row: done }],
    true,
  ).catch(async (error: unknown) => {
    // If the store rejects this too, the next start completes the rewind.
    await revert().catch(() => {});
    throw error;
  });
  await bind(deps, done);
  return files;
}

const applied = async (
  tree: WorkingTree | null,
  { files }: RewindRow,
  direction: 'forward' | 'back',
): Promise<Result<Restored>> =>
  tree && files.length > 0
    ? tree.applyRestore(files, direction)
    : ok({ restored: [], left: files.map(({ path }) => path) });

/** Tells the provider which of the agent's sessions is now behind ours. */
export async function bind({ provider, write }: StepDeps, row: RewindRow): Promise<void> {
  await provider.rebind?.(row.sessionId, row.state === 'undone' ? row.agentBefore : row.agentAfter);
  await write([{ type: 'put-rewind', row: { ...row, isBound: true } }], false);
}

function rewoundTurn(turn: TurnRow, rewindId: string): TurnRow {
  if (turn.state === 'rewound') return turn;
  const { state, position } = turn;
  return { ...turn, state: 'rewound', position: null, rewound: { rewindId, state, position } };
}

function restoredTurn(turn: TurnRow): TurnRow {
  const { rewound, ...rest } = turn;
  return rewound ? { ...rest, state: rewound.state, position: rewound.position } : turn;
}
