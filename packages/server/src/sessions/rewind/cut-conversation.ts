import { fail, ok, type Result } from '@liminal/contracts';
import type { CliProvider, ForkedSession, LoadOptions } from '../../providers/provider.ts';
import type { TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { matchTurns } from '../history/merge-replay.ts';

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
  const turnId = (replay && matchTurns(store, sessionId, replay).get(last.turnId)) ?? last.turnId;
  const sourceIds = store.itemsOfTurn(sessionId, last.turnId).flatMap(({ sourceId }) => sourceId ?? []);
  return ok(await provider.forkSession(sessionId, { ...copy, turnId, sourceIds }));
}
