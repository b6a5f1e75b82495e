import type { TurnEvent } from '@liminal/contracts';
import { expect, test, vi } from 'vitest';
import { type ContractKit, isTerminal } from './contract-kit.ts';

/** What a turn emits, to whom, and in which order. */
export function turnsContract(kit: ContractKit): void {
  const { patience, create, listen, ended, begun } = kit;

  test('cancel ends the turn as cancelled, and the session accepts the next message', async () => {
    const sessionId = await create();
    const heard = listen(sessionId);
    const slow = await kit.provider.sendMessage(sessionId, kit.subject.prompts.slow);
    await begun(heard);
    await kit.provider.cancelTurn(sessionId);
    expect(await ended(heard, slow.turnId)).toMatchObject({ type: 'turn_complete', status: 'cancelled' });
    // Nothing in a cancelled turn is an error.
    expect(heard.upserts.some((upsert) => upsert.status === 'error')).toBe(false);
    const next = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    expect(await ended(heard, next.turnId)).toMatchObject({ status: 'completed' });
  });

  if (!kit.isWhole) return;

  test('send returns once the turn is bound; turn_started is first, one terminal last, all with its turnId', async () => {
    const sessionId = await create();
    const heard = listen(sessionId);
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text, { turnId: 'turn-a' });
    expect(turnId).toBe('turn-a');
    expect(heard.turns.some(isTerminal)).toBe(false);
    expect(await ended(heard, turnId)).toMatchObject({ type: 'turn_complete', status: 'completed' });
    expect(heard.order[0]).toBe('turn_started');
    expect(heard.order.at(-1)).toBe('turn_complete');
    expect(heard.turns).toHaveLength(2);
    for (const message of [...heard.upserts, ...heard.turns]) expect(message).toMatchObject({ turnId, sessionId });
    const message = heard.upserts.findLast((upsert) => upsert.type === 'message');
    expect(message).toMatchObject({
      status: 'complete',
      origin: 'agent',
      content: expect.stringMatching(/\S/) as string,
    });
  });

  test('creates a tool call, and completes it under the same itemId with its output', async () => {
    const sessionId = await create();
    const heard = listen(sessionId);
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.tool);
    await ended(heard, turnId);
    const calls = heard.upserts.filter((upsert) => upsert.type === 'tool_call');
    expect(calls[0]).toMatchObject({ status: 'create', callId: expect.any(String) as string });
    const last = calls.findLast((upsert) => upsert.callId === calls[0]?.callId);
    expect(last).toMatchObject({ status: 'complete', itemId: calls[0]?.itemId });
    expect(last?.toolOutputIsError ?? false).toBe(false);
    expect(last?.toolOutput).toMatch(/\S/);
  });

  test('creates unique turn ids if none is given', async () => {
    const sessionId = await create();
    const heard = listen(sessionId);
    const first = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    await ended(heard, first.turnId);
    const second = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    await ended(heard, second.turnId);
    expect(first.turnId).not.toBe(second.turnId);
  });

  test('each item is created at most once, never shrinks, and ends at most once', async () => {
    const sessionId = await create();
    const heard = listen(sessionId);
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    await ended(heard, turnId);
    const items = Map.groupBy(heard.upserts, (upsert) => upsert.itemId);
    for (const states of items.values()) {
      expect(states.slice(1).some((state) => state.status === 'create')).toBe(false);
      expect(states.slice(0, -1).some((state) => state.status === 'complete' || state.status === 'error')).toBe(false);
      const texts = states.flatMap((state) =>
        state.type === 'message' || state.type === 'thinking' ? [state.content] : [],
      );
      for (const [index, text] of texts.slice(1).entries()) expect(text.startsWith(texts[index] ?? '')).toBe(true);
    }
  });

  test('two messages are answered in order by the same process', async () => {
    const sessionId = await create();
    const heard = listen(sessionId);
    const first = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text, { turnId: 'first' });
    const processes = await kit.subject.processes();
    await ended(heard, first.turnId);
    const second = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text, { turnId: 'second' });
    await ended(heard, second.turnId);
    expect(heard.turns.map(({ type, turnId }) => `${turnId} ${type}`)).toEqual([
      'first turn_started',
      'first turn_complete',
      'second turn_started',
      'second turn_complete',
    ]);
    // Agents start short-lived helpers as well: only the agent itself is there both times.
    const later = new Set(await kit.subject.processes());
    expect(processes.filter((pid) => later.has(pid))).not.toEqual([]);
  });

  test('cancel with no turn running has no effect', async () => {
    const sessionId = await create();
    await kit.provider.cancelTurn(sessionId);
    const heard = listen(sessionId);
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    expect(await ended(heard, turnId)).toMatchObject({ status: 'completed' });
  });

  test('events are held until the first listener', async () => {
    const sessionId = await create();
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    const early: TurnEvent[] = [];
    kit.provider.onTurn(sessionId, (event) => early.push(event));
    await vi.waitFor(() => expect(early.some(isTerminal)).toBe(true), patience);
    const late = listen(sessionId);
    expect(late.upserts.length).toBeGreaterThan(0);
    expect(late.upserts[0]).toMatchObject({ turnId });
    expect(early[0]?.type).toBe('turn_started');
  });

  test('a removed listener receives nothing more, and one that throws doesn’t affect the others', async () => {
    const sessionId = await create();
    // Recorded and checked at the end: the provider catches what a listener throws.
    const heardAfterLeaving: TurnEvent[] = [];
    const leave = kit.provider.onTurn(sessionId, (event) => heardAfterLeaving.push(event));
    leave();
    kit.provider.onTurn(sessionId, () => {
      throw new Error('broken listener');
    });
    const heard = listen(sessionId);
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    expect(await ended(heard, turnId)).toMatchObject({ status: 'completed' });
    expect(heardAfterLeaving).toEqual([]);
  });

  test('two sessions don’t receive each other’s events', async () => {
    const [one, two] = [await create(), await create()];
    const heard = { one: listen(one), two: listen(two) };
    const { turnId } = await kit.provider.sendMessage(one, kit.subject.prompts.text);
    await ended(heard.one, turnId);
    expect(heard.two.order).toEqual([]);
  });
}
