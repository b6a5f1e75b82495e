import { ok } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import { ProviderError } from '../../providers/provider-error.ts';
import type { CliProvider } from '../../providers/provider.ts';
import type { StoreWrite } from '../../store/rows.ts';
import { at, message, openTestShell, turnEnds } from './testing/test-shell.ts';

describe('a message', () => {
  it('is on disk before readers or the agent receive it', async () => {
    const gate = Promise.withResolvers<void>();
    const { shell, provider, store, published } = await openTestShell({ beforeWrite: () => gate.promise });
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
    const { begin } = await openTestShell({ beforeWrite: async (given) => void writes.push(given) });
    await begin('t1');
    expect(writes.filter((given) => given.some(({ type }) => type === 'put-session'))).toHaveLength(1);
  });

  it('is not sent when it is cancelled while its agent starts', async () => {
    const gate = Promise.withResolvers<{ sessionId: string; cliType: string }>();
    let isAlive = false;
    const overrides = { isAlive: () => isAlive, loadSession: vi.fn(() => gate.promise) };
    overrides.loadSession.mockResolvedValueOnce({ sessionId: 's', cliType: 'scripted' });
    const { shell, provider, published } = await openTestShell({ overrides });
    await shell.send(message('t1'), null);
    await shell.handle({ type: 'cancel' });
    await vi.waitFor(() => expect(turnEnds(published)).toMatchObject([{ turnId: 't1', status: 'cancelled' }]));
    isAlive = true;
    gate.resolve({ sessionId: 's', cliType: 'scripted' });
    await shell.settled();
    expect(provider.sent).toEqual([]);
    expect(shell.session().turn).toBeNull();
  });

  it.each(['fails', 'succeeds'] as const)(
    'waits for the next start when the server stops while its agent starts, and the start then %s',
    async (how) => {
      const gate = Promise.withResolvers<{ sessionId: string; cliType: string }>();
      let isAlive = false;
      const overrides = { isAlive: () => isAlive, loadSession: vi.fn(() => gate.promise) };
      overrides.loadSession.mockResolvedValueOnce({ sessionId: 's', cliType: 'scripted' });
      const { shell, provider, store, writer, published } = await openTestShell({ overrides });
      await shell.send(message('t1'), null);
      shell.rest();
      isAlive = how === 'succeeds';
      if (isAlive) gate.resolve({ sessionId: 's', cliType: 'scripted' });
      else gate.reject(new ProviderError('SESSION_DEAD', 'This session was ended while it was opening.'));
      await new Promise(setImmediate);
      await shell.settled();
      await writer.flush();
      expect([provider.sent, turnEnds(published)]).toEqual([[], []]);
      expect(store.turn('s', 't1')).toMatchObject({ state: 'sending', awaitsAgent: true });
      expect(store.session('s')).toMatchObject({ life: 'open', lastError: null });
    },
  );

  it('can still be cancelled while the server stops and its agent starts', async () => {
    const overrides = { isAlive: () => false, loadSession: vi.fn(() => new Promise<never>(() => {})) };
    overrides.loadSession.mockResolvedValueOnce({ sessionId: 's', cliType: 'scripted' } as never);
    const { shell, published } = await openTestShell({ overrides });
    await shell.send(message('t1'), null);
    shell.rest();
    await shell.handle({ type: 'cancel' });
    await vi.waitFor(() => expect(turnEnds(published)).toMatchObject([{ turnId: 't1', status: 'cancelled' }]));
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
    const opened = await openTestShell({
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
    const { shell, published, begin } = await openTestShell({ overrides: { steer } });
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
    const { shell, begin } = await openTestShell({ overrides: { steer } });
    await begin('t1');
    const both = [shell.send(message('t2'), 'c', 'steer'), shell.send(message('t3'), 'c', 'steer')];
    await vi.waitFor(() => expect(steer).toHaveBeenCalled());
    gate.resolve();
    expect(await Promise.all(both)).toEqual([ok({ turnId: 't1' }), ok({ turnId: 't1' })]);
    expect(steer).toHaveBeenCalledOnce();
  });

  it('waits as its own turn when steered too late', async () => {
    const steer = () => Promise.reject(new ProviderError('TURN_NOT_FOUND', 'It had ended.'));
    const { shell, begin } = await openTestShell({ overrides: { steer } });
    await begin('t1');
    expect(await shell.send(message('t2'), 'c', 'steer')).toEqual(ok({ turnId: 't2' }));
    expect(shell.session().queue.map(({ turnId }) => turnId)).toEqual(['t2']);
    expect(await shell.send(message('t3'), 'c', 'steer')).toEqual(ok({ turnId: 't2' }));
  });

  it('can be sent again with the same id when it was steered too late and its session was ended meanwhile', async () => {
    const gate = Promise.withResolvers<void>();
    const steer = vi.fn(() => gate.promise);
    const { shell, begin } = await openTestShell({ overrides: { steer } });
    await begin('t1');
    const steered = shell.send(message('t2'), 'c', 'steer');
    await vi.waitFor(() => expect(steer).toHaveBeenCalled());
    await shell.handle({ type: 'kill' });
    gate.reject(new ProviderError('TURN_NOT_FOUND', 'It had ended.'));
    expect(await steered).toMatchObject({ ok: false, failure: { code: 'SESSION_DEAD' } });
    expect(await shell.send(message('t3'), 'c')).toMatchObject({ ok: false, failure: { code: 'SESSION_DEAD' } });
    await shell.handle({ type: 'load' });
    await shell.handle({ type: 'open' });
    expect(await shell.send(message('t4'), 'c')).toEqual(ok({ turnId: 't4' }));
  });

  it('can be sent again with the same id when it was steered too late and the disk rejects it', async () => {
    let isFull = false;
    const { shell, begin } = await openTestShell({
      overrides: {
        async steer() {
          isFull = true;
          throw new ProviderError('TURN_NOT_FOUND', 'It had ended.');
        },
      },
      async beforeWrite(writes) {
        if (isFull && writes.some(({ type }) => type === 'put-turn')) throw new Error('disk full');
      },
    });
    await begin('t1');
    await expect(shell.send(message('t2'), 'c', 'steer')).rejects.toThrow('disk full');
    isFull = false;
    expect(await shell.send(message('t3'), 'c')).toEqual(ok({ turnId: 't3' }));
  });

  it.each(['sending', 'cancelling', 'running'] as const)(
    'keeps its images under its own turn when it is steered into a turn that is %s and can’t take it',
    async (phase) => {
      const overrides: Partial<CliProvider> = {
        steer: () => Promise.reject(new ProviderError('TURN_NOT_FOUND', 'It had ended.')),
        cancelTurn: async () => {},
      };
      const { shell, store, begin } = await openTestShell({ overrides });
      if (phase === 'sending') await shell.send(message('t1'), null);
      else await begin('t1');
      if (phase === 'cancelling') await shell.handle({ type: 'cancel' });
      expect(shell.session().turn?.phase).toBe(phase);
      const kept = (turnId: string): StoreWrite => ({
        type: 'put-output',
        sessionId: 's',
        itemId: turnId,
        output: 'images',
        writtenAt: at,
      });
      const sent = await shell.send(message('t2'), null, 'steer', (turnId) => [kept(turnId)]);
      expect(sent).toEqual(ok({ turnId: 't2' }));
      expect(store.output('s', 't2')).toBe('images');
    },
  );

  it('waits for the turn before it and is sent when that has ended', async () => {
    const { shell, provider, begin } = await openTestShell();
    await begin('t1');
    await shell.send(message('t2'), null);
    expect(provider.sent).toHaveLength(1);
    provider.end('s');
    await vi.waitFor(() => expect(provider.sent.map(({ options }) => options?.turnId)).toEqual(['t1', 't2']));
  });
});
