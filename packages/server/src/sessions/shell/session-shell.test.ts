import { ok, type SessionHistory } from '@liminal/contracts';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import type { Message } from '@liminal/domain/session/session';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryDirectory } from '../../bus/directory.ts';
import { createMemoryBus } from '../../bus/memory/memory-bus.ts';
import type { SessionBus } from '../../bus/session-bus.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { CliProvider, ReplayedHistory } from '../../providers/provider.ts';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import type { SessionRow, StoreWrite } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { storedSession } from '../history/stored-session.ts';
import { createItemWriter } from '../writing/item-writer.ts';
import { createAgentLink } from './agent-link.ts';
import { createChangePlacer } from './place-changes.ts';
import { createSessionItems } from './session-items.ts';
import { createSessionShell } from './session-shell.ts';

const at = '2026-01-01T00:00:00.000Z';
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
const message = (turnId: string): Message => ({ turnId, content: 'go', images: [], createdAt: at, state: 'waiting' });

type Setup = {
  readonly overrides?: Partial<CliProvider>;
  /** Runs before each write; the store throws what it throws. */
  readonly beforeWrite?: (writes: readonly StoreWrite[]) => Promise<void>;
  readonly wrapBus?: (bus: SessionBus) => SessionBus;
};

/** A shell with a scripted agent and an in-memory store, plus everything a reader receives. */
async function setup({ overrides = {}, beforeWrite = async () => {}, wrapBus = (bus) => bus }: Setup = {}) {
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

const turnEnds = (published: readonly ChangeBody[]) =>
  published.flatMap(({ type, payload }) =>
    type === 'session:turn' && payload.type !== 'turn_started' ? [payload] : [],
  );

describe('a message', () => {
  it('is on disk before readers or the agent receive it', async () => {
    const gate = Promise.withResolvers<void>();
    const { shell, provider, store, published } = await setup({ beforeWrite: () => gate.promise });
    const sent = shell.send(message('t1'), null);
    await new Promise(setImmediate);
    expect([published, provider.sent]).toEqual([[], []]);
    gate.resolve();
    expect(await sent).toEqual(ok({ turnId: 't1' }));
    expect(store.turn('s', 't1')).toMatchObject({ state: 'sending' });
    await vi.waitFor(() => expect(provider.sent).toHaveLength(1));
    expect(published.map(({ type }) => type)).toEqual([
      'session:queue',
      'session:queue',
      'session:upsert',
      'session:status',
    ]);
  });

  it('costs no further write when its agent is already running', async () => {
    const writes: (readonly StoreWrite[])[] = [];
    const { begin } = await setup({ beforeWrite: async (given) => void writes.push(given) });
    await begin('t1');
    expect(writes.filter((given) => given.some(({ type }) => type === 'put-session'))).toHaveLength(1);
  });

  it('is not sent when it is cancelled while its agent starts', async () => {
    const gate = Promise.withResolvers<{ sessionId: string; cliType: string }>();
    let isAlive = false;
    const overrides = { isAlive: () => isAlive, loadSession: vi.fn(() => gate.promise) };
    overrides.loadSession.mockResolvedValueOnce({ sessionId: 's', cliType: 'scripted' });
    const { shell, provider, published } = await setup({ overrides });
    await shell.send(message('t1'), null);
    await shell.handle({ type: 'cancel' });
    await vi.waitFor(() => expect(turnEnds(published)).toMatchObject([{ turnId: 't1', status: 'cancelled' }]));
    isAlive = true;
    gate.resolve({ sessionId: 's', cliType: 'scripted' });
    await shell.settled();
    expect(provider.sent).toEqual([]);
    expect(shell.session().turn).toBeNull();
  });

  it('is not sent when the disk rejects the write that its agent is ready', async () => {
    let isAlive = false;
    const overrides: Partial<CliProvider> = {
      isAlive: () => isAlive,
      async loadSession() {
        isAlive = provider !== undefined;
        return { sessionId: 's', cliType: 'scripted' };
      },
    };
    let provider: unknown;
    const hasArrived = (write: StoreWrite) => write.type === 'put-turn' && write.row.awaitsAgent === false;
    const opened = await setup({
      overrides,
      async beforeWrite(writes) {
        if (writes.some(hasArrived)) throw new Error('disk full');
      },
    });
    provider = opened.provider;
    await opened.shell.send(message('t1'), null);
    await vi.waitFor(() => expect(turnEnds(opened.published)).toMatchObject([{ type: 'turn_error', turnId: 't1' }]));
    expect(opened.provider.sent).toEqual([]);
    expect(opened.shell.status()).toMatchObject({ state: 'dead', lastError: { code: 'PROCESS_CRASH' } });
  });

  it('returns the reason when it was steered and the agent did not accept it, and is shown as failed', async () => {
    const steer = async () => {
      throw new ProviderError('PROCESS_CRASH', 'It was just exiting.');
    };
    const { shell, published, begin } = await setup({ overrides: { steer } });
    await begin('t1');
    const sent = await shell.send(message('t2'), null, 'steer');
    expect(sent).toMatchObject({ ok: false, failure: { code: 'PROCESS_CRASH', message: 'It was just exiting.' } });
    expect(published.at(-1)).toMatchObject({
      payload: { itemId: 't1:0:1', status: 'error', errorCode: 'PROCESS_CRASH' },
    });
  });

  it('is sent once per client message id when steered, and both callers get its outcome', async () => {
    const gate = Promise.withResolvers<void>();
    const steer = vi.fn(() => gate.promise);
    const { shell, begin } = await setup({ overrides: { steer } });
    await begin('t1');
    const both = [shell.send(message('t2'), 'c', 'steer'), shell.send(message('t3'), 'c', 'steer')];
    await vi.waitFor(() => expect(steer).toHaveBeenCalled());
    gate.resolve();
    expect(await Promise.all(both)).toEqual([ok({ turnId: 't1' }), ok({ turnId: 't1' })]);
    expect(steer).toHaveBeenCalledOnce();
  });

  it('waits as its own turn when steered too late', async () => {
    const steer = () => Promise.reject(new ProviderError('TURN_NOT_FOUND', 'It had ended.'));
    const { shell, begin } = await setup({ overrides: { steer } });
    await begin('t1');
    expect(await shell.send(message('t2'), 'c', 'steer')).toEqual(ok({ turnId: 't2' }));
    expect(shell.session().queue.map(({ turnId }) => turnId)).toEqual(['t2']);
    expect(await shell.send(message('t3'), 'c', 'steer')).toEqual(ok({ turnId: 't2' }));
  });

  it('waits for the turn before it and is sent when that has ended', async () => {
    const { shell, provider, begin } = await setup();
    await begin('t1');
    await shell.send(message('t2'), null);
    expect(provider.sent).toHaveLength(1);
    provider.end('s');
    await vi.waitFor(() => expect(provider.sent.map(({ options }) => options?.turnId)).toEqual(['t1', 't2']));
  });
});

describe('a command', () => {
  it('returns the reason when the agent doesn’t follow it, and can be given again', async () => {
    const cancelTurn = vi.fn(() => Promise.reject(new ProviderError('PROTOCOL_ERROR', 'Not now.')));
    const { shell, begin } = await setup({ overrides: { cancelTurn } });
    await begin('t1');
    for (const times of [1, 2]) {
      const handled = await shell.handle({ type: 'cancel' });
      expect(handled.ok && (await handled.value.performed)).toMatchObject({ failure: { code: 'PROTOCOL_ERROR' } });
      await shell.settled();
      expect(cancelTurn).toHaveBeenCalledTimes(times);
    }
  });
});

describe('a folder whose trust changed', () => {
  it('gets a new process for the next message, once its turn has ended', async () => {
    const killSession = vi.fn(async () => {});
    const { shell, provider, begin } = await setup({ overrides: { killSession } });
    await begin('t1');
    await shell.trustChanged();
    expect(killSession).not.toHaveBeenCalled();
    provider.end('s');
    await vi.waitFor(() => expect(killSession).toHaveBeenCalledOnce());
  });
});

describe("the agent's output", () => {
  it('reaches readers as a new history when it cannot be published, and is still written', async () => {
    let isBroken = false;
    const wrapBus = (bus: SessionBus): SessionBus => ({
      ...bus,
      open(sessionId, source) {
        const feed = bus.open(sessionId, source);
        const publish = feed.publish.bind(feed);
        return Object.assign(feed, {
          publish(bodies: readonly ChangeBody[]) {
            if (isBroken) throw new Error('broken');
            return publish(bodies);
          },
        });
      },
    });
    const { shell, provider, store, writer, histories, onError, begin } = await setup({ wrapBus });
    await begin('t1');
    isBroken = true;
    provider.say('s', 't1:1:0', 'an answer', 'complete');
    provider.end('s');
    await shell.settled();
    isBroken = false;
    expect(onError).toHaveBeenCalled();
    expect(histories.at(-1)?.entries.at(-1)).toMatchObject({ content: 'an answer' });
    expect(histories.at(-1)?.turns).toMatchObject([{ turnId: 't1', state: 'completed' }]);
    await writer.flush();
    expect(store.item('s', 't1:1:0')?.body).toMatchObject({ content: 'an answer' });
  });

  it('ends the turn and keeps the reason when its process closes', async () => {
    const { shell, provider, published, begin } = await setup();
    await begin('t1');
    provider.die('s');
    await shell.settled();
    expect(turnEnds(published)).toMatchObject([{ type: 'turn_error', turnId: 't1', errorCode: 'PROCESS_CRASH' }]);
    expect(shell.status()).toMatchObject({ activity: 'asleep', lastError: { code: 'PROCESS_CRASH' } });
  });

  it('is neither published nor written once the session is closed', async () => {
    const { shell, provider, published, begin } = await setup();
    await begin('t1');
    const before = published.length;
    shell.close();
    provider.say('s', 't1:1:0', 'late', 'complete');
    expect(published).toHaveLength(before);
    expect(shell.items.find('t1:1:0')).toBeUndefined();
    await expect(shell.send(message('t2'), null)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });
});

describe('the agent’s own record', () => {
  it('adds nothing the agent is still reporting here, though it is not on disk yet', async () => {
    let say: Parameters<CliProvider['onUpsert']>[1] | undefined;
    const onUpsert: CliProvider['onUpsert'] = (_, listener) => {
      say = listener;
      return () => {};
    };
    const { shell, begin } = await setup({ overrides: { onUpsert } });
    await begin('t1');
    const answer = { type: 'message', origin: 'agent', status: 'create', content: 'an ans' } as const;
    const upsert = { ...answer, sessionId: 's', turnId: 't1', itemId: 't1:1:0', sourceTimestamp: at, emittedAt: at };
    say?.(upsert, { sourceId: 'msg-1' });
    await shell.settled();
    const recorded = { ...upsert, turnId: 'r1', itemId: 'r1:1:0' };
    const replay: ReplayedHistory = {
      turns: [{ turnId: 'r1', state: 'running' }],
      entries: [{ upsert: recorded, sourceId: 'msg-1' }],
    };
    expect(await shell.merge(replay)).toBe(false);
  });
});
