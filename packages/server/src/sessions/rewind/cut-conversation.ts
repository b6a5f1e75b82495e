import { fail, ok, type Result } from '@liminal/contracts';
import type { CliProvider, ForkedSession, LoadOptions } from '../../providers/provider.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { matchTurns } from '../history/merge-replay.ts';
import { turnsOf } from './copied-turns.ts';

export type Cut = {
  readonly store: Store;
  readonly provider: CliProvider;
  readonly sessionId: string;
  readonly options: LoadOptions;
  /** Where the copy works; the session's own folder by default. */
  readonly folder?: string | undefined;
  /** The last turn that is kept. */
  readonly last: TurnRow;
  /** No turn comes after it. */
  readonly isWhole: boolean;
};

/** Whether this agent can continue from an earlier turn, or why not. */
export function mayCut({ name, capabilities }: CliProvider, isWhole: boolean): Result<null> {
  if (!capabilities.fork) return fail('NOT_SUPPORTED', `${name} can't copy a conversation, so it can't be forked.`);
  if (isWhole || capabilities.forkAtTurn) return ok(null);
  return fail('NOT_SUPPORTED', `${name} can fork a whole session, but not at an earlier turn.`);
}

/** Has the agent copy its own record up to and including a turn, which it may know by another id than ours. */
export async function cutConversation(cut: Cut): Promise<Result<ForkedSession>> {
  const { store, provider, sessionId, options, folder, last, isWhole } = cut;
  const allowed = mayCut(provider, isWhole);
  if (!allowed.ok) return allowed;
  if (!provider.forkSession) return fail('NOT_SUPPORTED', `${provider.name} can't copy a conversation.`);
  const copy = { ...options, ...(folder !== undefined && { projectDir: folder }) };
  if (isWhole) return ok(await provider.forkSession(sessionId, copy));
  const replay = await provider.readHistory?.(sessionId, options);
  const known = replay && matchTurns(store, sessionId, replay);
  const kept = turnsOf(store, sessionId).filter(({ position }) => (position ?? 0) <= (last.position ?? 0));
  for (const turn of kept.toReversed()) {
    const turnId = known?.get(turn.turnId) ?? turn.turnId;
    const sourceIds = store.itemsOfTurn(sessionId, turn.turnId).flatMap(({ sourceId }) => sourceId ?? []);
    try {
      return ok(await provider.forkSession(sessionId, { ...copy, turnId, sourceIds }));
    } catch (error) {
      if (!isUnrecorded(turn, error)) throw error;
    }
  }
  return fail('TURN_NOT_FOUND', `${provider.name} has no record of this turn or of any before it.`);
}

/** A turn that was stopped before the agent recorded its message. The turn before it ends the same conversation. */
const isUnrecorded = ({ state }: TurnRow, error: unknown): boolean =>
  state !== 'completed' && error instanceof ProviderError && error.code === 'TURN_NOT_FOUND';
