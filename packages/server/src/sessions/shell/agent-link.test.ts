import { ok } from '@liminal/contracts';
import type { Message } from '@liminal/domain/session/session';
import { describe, expect, it, vi } from 'vitest';
import { ProviderError } from '../../providers/provider-error.ts';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import type { AgentEvent } from './agent-event.ts';
import { createAgentLink } from './agent-link.ts';

const message: Message = {
  turnId: 't',
  content: 'go',
  images: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  state: 'waiting',
};

function linked(
  overrides: Parameters<typeof createScriptedProvider>[1] = {},
  beforeTurn?: (turnId: string) => Promise<void>,
) {
  const provider = createScriptedProvider('scripted', overrides);
  const events: AgentEvent[] = [];
  const link = createAgentLink(provider, 's', () => ok({}), undefined, beforeTurn);
  link.listen((event) => events.push(event));
  return { provider, link, events };
}

describe('stopping a message that is being sent', () => {
  it('before the agent is ready: never sends it', async () => {
    const gate = Promise.withResolvers<{ sessionId: string; cliType: string }>();
    const cancelTurn = vi.fn(async () => {});
    const { provider, link } = linked({ loadSession: () => gate.promise, cancelTurn });
    const waiting = link.wakeFor(message);
    await link.cancel();
    // The caller doesn't wait for an agent that may take minutes to start.
    expect(await waiting).toEqual({ type: 'sending-stopped', turnId: 't' });
    gate.resolve({ sessionId: 's', cliType: 'scripted' });
    await link.wake();
    expect(provider.sent).toEqual([]);
    expect(cancelTurn).not.toHaveBeenCalled();
  });

  it('while it is being sent: asks the agent again once it knows the turn', async () => {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<{ turnId: string }>()];
    const cancelTurn = vi.fn(async () => {});
    const sendMessage = () => {
      begun.resolve();
      return gate.promise;
    };
    const { link } = linked({ sendMessage, cancelTurn });
    const sent = link.send(message);
    await begun.promise;
    await link.cancel();
    expect(cancelTurn).toHaveBeenCalledOnce();
    gate.resolve({ turnId: 't' });
    expect(await sent).toEqual({ type: 'done' });
    expect(cancelTurn).toHaveBeenCalledTimes(2);
  });

  it('after it was sent: asks the agent once', async () => {
    const cancelTurn = vi.fn(async () => {});
    const { link } = linked({ cancelTurn });
    await link.send(message);
    await link.cancel();
    await link.send(message);
    expect(cancelTurn).toHaveBeenCalledOnce();
  });
});

describe('a message the agent did not get', () => {
  const crash = new ProviderError('PROCESS_CRASH', 'gone');

  it('was not sent because the agent could not be started', async () => {
    const { link } = linked({ loadSession: () => Promise.reject(crash) });
    expect(await link.wakeFor(message)).toEqual({ type: 'not-started', turnId: 't', error: crash });
  });

  it.each([
    ['not-sent', true],
    ['not-started', false],
  ] as const)('is %s when the agent was alive: %s', async (type, isAlive) => {
    const { link } = linked({ isAlive: () => isAlive, sendMessage: () => Promise.reject(crash) });
    expect(await link.send(message)).toEqual({ type, turnId: 't', error: crash });
  });
});

describe('ending an agent', () => {
  it('while a message waits for its folder to be recorded, never sends it, even to the next process', async () => {
    const recorded = Promise.withResolvers<void>();
    const { provider, link } = linked({}, () => recorded.promise);
    await link.wake();
    const sent = link.send(message);
    await link.kill();
    const reopened = link.wake();
    recorded.resolve();
    await reopened;
    expect(await sent).toMatchObject({ type: 'not-sent', turnId: 't', error: { code: 'SESSION_DEAD' } });
    expect(provider.sent).toEqual([]);
    expect(link.isAlive()).toBe(true);
  });

  it('still receives its last output, and nothing after', async () => {
    const { provider, link, events } = linked({
      async killSession() {
        provider.say('s', 't:1:0', 'last words');
      },
    });
    await link.wake();
    await link.kill();
    expect(events.map(({ type }) => type)).toEqual(['item']);
    provider.say('s', 't:1:0', 'from beyond');
    expect(events.map(({ type }) => type)).toEqual(['item']);
  });

  it('while it starts, leaves no listener behind', async () => {
    const gate = Promise.withResolvers<{ sessionId: string; cliType: string }>();
    const { provider, link, events } = linked({
      loadSession: () => gate.promise,
      async killSession() {
        gate.resolve({ sessionId: 's', cliType: 'scripted' });
        await gate.promise;
        await Promise.resolve();
      },
    });
    const woken = link.wake();
    woken.catch(() => {});
    await link.kill();
    await expect(woken).rejects.toMatchObject({ code: 'SESSION_DEAD' });
    provider.say('s', 't:1:0', 'anybody there?');
    expect(events).toEqual([]);
  });
});
