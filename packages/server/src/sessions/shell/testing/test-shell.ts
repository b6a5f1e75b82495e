import { ok, type SessionHistory } from '@liminal/contracts';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import type { Message } from '@liminal/domain/session/session';
import { expect, vi } from 'vitest';
import { createMemoryDirectory } from '../../../bus/directory.ts';
import { createMemoryBus } from '../../../bus/memory/memory-bus.ts';
import type { SessionBus } from '../../../bus/session-bus.ts';
import type { CliProvider } from '../../../providers/provider.ts';
import { createScriptedProvider } from '../../../providers/testing/scripted-provider.ts';
import { createMemoryStore } from '../../../store/memory/memory-store.ts';
import type { SessionRow, StoreWrite } from '../../../store/rows.ts';
import type { Store } from '../../../store/store.ts';
import { storedSession } from '../../history/stored-session.ts';
import { createItemWriter } from '../../writing/item-writer.ts';
import { createAgentLink } from '../agent-link.ts';
import { createChangePlacer } from '../place-changes.ts';
import { createSessionItems } from '../session-items.ts';
import { createSessionShell } from '../session-shell.ts';

export const at = '2026-01-01T00:00:00.000Z';
const row: SessionRow = {
  sessionId: 's',
  cliType: 'scripted',
  projectId: 'p',
  title: 'A title',
  titleSource: 'person',
  createdAt: at,
  updatedAt: at,
  archived: false,
  life: 'open',
  lastError: null,
  options: {},
  info: {},
};
export const message = (turnId: string): Message => ({
  turnId,
  content: 'go',
  images: [],
  createdAt: at,
  state: 'waiting',
});

type TestShellOptions = {
  readonly overrides?: Partial<CliProvider>;
  /** Runs before each write; the store throws what it throws. */
  readonly beforeWrite?: (writes: readonly StoreWrite[]) => Promise<void>;
  readonly wrapBus?: (bus: SessionBus) => SessionBus;
};

/** A shell with a scripted agent and an in-memory store, plus everything a reader receives. */
export async function openTestShell({
  overrides = {},
  beforeWrite = async () => {},
  wrapBus = (bus) => bus,
}: TestShellOptions = {}) {
  const memory = createMemoryStore();
  const store: Store = {
    ...memory,
    async write(writes) {
      await beforeWrite(writes);
      await memory.write(writes);
    },
  };
  const provider = createScriptedProvider('scripted', overrides);
  const writer = createItemWriter({ store, intervalMs: 3_600_000, onError: () => {} });
  let epochs = 0;
  const bus = wrapBus(createMemoryBus({ newEpoch: () => `e${++epochs}` }));
  const link = createAgentLink(provider, 's', () => ok({}));
  const onError = vi.fn();
  await memory.write([{ type: 'put-session', row }]);
  await provider.loadSession('s');
  const shell = createSessionShell({
    ...storedSession(store, row),
    row,
    link,
    changes: createChangePlacer({ read: async () => 'unreadable' }),
    mayStart: () => true,
    isTrusted: () => true,
    items: createSessionItems('s', store, writer, () => at),
    store,
    writer,
    bus,
    directory: createMemoryDirectory(),
    now: () => at,
    onError,
    historyBytes: 1_000_000,
  });
  shell.listen();
  const published: ChangeBody[] = [];
  const histories: SessionHistory[] = [];
  const follow = (): void => {
    const stop = bus.follow('s', undefined, {
      caughtUp: (start) => void (start.verdict !== 'ok' && histories.push(start.history)),
      changed: (changes) => void published.push(...changes.map(({ body }) => body)),
      renewed() {
        stop?.();
        queueMicrotask(follow);
      },
    });
  };
  follow();
  const begin = async (turnId: string): Promise<void> => {
    await shell.send(message(turnId), null);
    await vi.waitFor(() => expect(provider.sent.at(-1)?.options?.turnId).toBe(turnId));
    provider.start('s');
    await shell.settled();
  };
  return { shell, provider, store, writer, published, histories, onError, begin };
}

/** How turns ended, as published to readers. */
export const turnEnds = (published: readonly ChangeBody[]) =>
  published.flatMap(({ type, payload }) =>
    type === 'session:turn' && payload.type !== 'turn_started' ? [payload] : [],
  );
