import type { ChangeBody } from '@liminal/domain/delivery/change';
import { describe, expect, it, vi } from 'vitest';
import type { SessionBus } from '../../bus/session-bus.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { CliProvider, ReplayedHistory } from '../../providers/provider.ts';
import { at, message, openTestShell, turnEnds } from './testing/test-shell.ts';

describe('a command', () => {
  it('returns the reason when the agent doesn’t follow it, and can be given again', async () => {
    const cancelTurn = vi.fn(() => Promise.reject(new ProviderError('PROTOCOL_ERROR', 'Not now.')));
    const { shell, begin } = await openTestShell({ overrides: { cancelTurn } });
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
    const { shell, provider, begin } = await openTestShell({ overrides: { killSession } });
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
    const { shell, provider, store, writer, histories, onError, begin } = await openTestShell({ wrapBus });
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
    const { shell, provider, published, begin } = await openTestShell();
    await begin('t1');
    provider.die('s');
    await shell.settled();
    expect(turnEnds(published)).toMatchObject([{ type: 'turn_error', turnId: 't1', errorCode: 'PROCESS_CRASH' }]);
    expect(shell.status()).toMatchObject({ activity: 'asleep', lastError: { code: 'PROCESS_CRASH' } });
  });

  it('is neither published nor written once the session is closed', async () => {
    const { shell, provider, published, begin } = await openTestShell();
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
    const { shell, begin } = await openTestShell({ overrides: { onUpsert } });
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
