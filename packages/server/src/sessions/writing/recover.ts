import { personsItemId } from '@liminal/domain/items/item-id';
import type { TurnStarted, TurnTerminal, UpsertObject } from '@liminal/contracts';
import { personsItem } from '@liminal/domain/session/persons-item';
import type { StoreWrite, TurnRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { stoppedDecisions } from '../shell/permission-decision.ts';
import type { ProviderRegistry } from '../../providers/registry.ts';

export type RecoverDeps = {
  readonly store: Store;
  readonly now: () => string;
  /** Asks the agent's own record whether a message arrived; null if that can't be known. */
  readonly wasReceived: (row: TurnRow) => Promise<boolean | null>;
};

// Agent output is written a moment after it is published: a crash may lose the last of it.
const stopped = 'Liminal Builder stopped during this turn. The last part of the answer may be missing.';

/**
 * Repairs what a crash left behind. Running turns end as failed with their text kept. A message that was being sent
 * either arrived (it failed), didn't arrive (it waits again), or is shown as unknown. Unanswered requests are recorded
 * as ended.
 */
export async function recoverTurns({ store, now, wasReceived }: RecoverDeps): Promise<number> {
  const writes: StoreWrite[] = stoppedDecisions(store.openRequests(), now());
  for (const row of store.openTurns()) {
    if (row.state === 'running') writes.push(...crashed(store, row, now()));
    if (row.state !== 'sending') continue;
    const arrived = row.awaitsAgent !== true && (hasAnswer(store, row) || (await wasReceived(row)));
    if (arrived === true) writes.push(...crashed(store, row, now()));
    else
      writes.push({
        type: 'put-turn',
        row: {
          ...row,
          state: arrived === false ? 'queued' : 'unknown',
          position: null,
          startedAt: null,
          awaitsAgent: false,
        },
      });
  }
  await store.write(writes);
  return writes.length;
}

/** Some of the agent's output in this turn is on disk, so it had the message. */
function hasAnswer(store: Store, row: TurnRow): boolean {
  const ours = personsItemId(row.turnId);
  return store.itemsOfTurn(row.sessionId, row.turnId).some((item) => item.itemId !== ours);
}

function crashed(store: Store, row: TurnRow, at: string): StoreWrite[] {
  const { sessionId, turnId } = row;
  const items = store.itemsOfTurn(sessionId, turnId);
  const error = { errorCode: 'PROCESS_CRASH', errorMessage: stopped };
  const started: TurnStarted = { type: 'turn_started', turnId, sessionId, modelId: 'unknown', providerId: 'unknown' };
  const ended: TurnTerminal = { type: 'turn_error', turnId, sessionId, ...error };
  const writes: StoreWrite[] = [
    {
      type: 'put-turn',
      row: { ...row, state: 'failed', images: [], started: row.started ?? started, ended, endedAt: at },
    },
  ];
  for (const item of items) {
    if (item.body.status === 'complete' || item.body.status === 'error') continue;
    const body: UpsertObject = { ...item.body, status: 'error', ...error, emittedAt: at };
    writes.push({ type: 'put-item', row: { ...item, body } });
  }
  const session = store.session(sessionId);
  if (session) {
    writes.push({
      type: 'put-session',
      row: { ...session, lastError: { code: 'PROCESS_CRASH', message: stopped, at }, ended: { id: turnId, at } },
    });
  }
  return [...writes, ...personsOwn(store, row, items.length > 0 ? items[0]?.order : undefined, at)];
}

/** The user's own item is written with a delay; if the crash came first, it is rebuilt from the durable turn. */
function personsOwn(store: Store, row: TurnRow, before: number | undefined, at: string): StoreWrite[] {
  const { sessionId, turnId, content, images, createdAt } = row;
  const isAgents = content === '' && images.length === 0;
  if (isAgents || store.item(sessionId, personsItemId(turnId))) return [];
  const order = before === undefined ? store.nextPlaces(sessionId).order : Math.max(0, before - 1);
  const message = { turnId, content, images, createdAt, state: 'waiting' } as const;
  const body = { ...personsItem(sessionId, message, at), order };
  return [
    { type: 'put-item', row: { sessionId, itemId: body.itemId, turnId, order, sourceId: null, change: null, body } },
  ];
}

/** Asks the agent's own record about a message that was being sent when the last server ended. */
export async function askRecord(
  registry: ProviderRegistry,
  store: Store,
  turn: { readonly sessionId: string; readonly turnId: string },
): Promise<boolean | null> {
  const session = store.session(turn.sessionId);
  const provider = registry.all().find(({ cliType }) => cliType === session?.cliType);
  const project = store.projects().find(({ projectId }) => projectId === session?.projectId);
  const projectDir = session?.place?.folder ?? project?.dir;
  const options = projectDir === undefined ? {} : { projectDir };
  try {
    return (await provider?.wasReceived?.(turn.sessionId, turn.turnId, options)) ?? null;
  } catch {
    return null;
  }
}
