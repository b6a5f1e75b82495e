import { expect, test } from 'vitest';
import type { ContractKit } from './contract-kit.ts';

/** Copies of a conversation, and sessions that continue with one. */
export function forkContract(kit: ContractKit): void {
  const { create, listen, ended, refusal } = kit;

  test('CP-2 CP-9: a fork at a turn is its own session, or says why not; a session can switch to it and back', async () => {
    const { provider, subject } = kit;
    const { projectDir, prompts } = subject;
    const sessionId = await create();
    const heard = listen(sessionId);
    const first = (await provider.sendMessage(sessionId, prompts.text, { turnId: 'first' })).turnId;
    await ended(heard, first);
    const sources: string[] = [];
    provider.onUpsert(sessionId, (_, how) => void (how?.sourceId && sources.push(how.sourceId)));
    const second = (await provider.sendMessage(sessionId, prompts.tool, { turnId: 'second' })).turnId;
    await ended(heard, second);
    const point = { projectDir, turnId: second, sourceIds: sources };
    if (!provider.capabilities.forkAtTurn) {
      expect(await refusal(provider.forkSession?.(sessionId, point) ?? Promise.resolve())).toBe('NOT_SUPPORTED');
      return;
    }
    const third = (await provider.sendMessage(sessionId, prompts.text, { turnId: 'third' })).turnId;
    await ended(heard, third);
    const forked = await provider.forkSession?.(sessionId, point);
    const copy = forked?.sessionId ?? '';
    expect(forked).toMatchObject({ cliType: provider.cliType });
    expect(copy).not.toBe(sessionId);
    await provider.loadSession(copy, { projectDir });
    const inCopy = listen(copy);
    const went = await provider.sendMessage(copy, prompts.text);
    expect(await ended(inCopy, went.turnId)).toMatchObject({ status: 'completed' });
    await provider.killSession(copy);

    const before = provider.agentIdsOf?.(sessionId) ?? [];
    await provider.rebind?.(sessionId, [copy]);
    expect(provider.isAlive(sessionId)).toBe(false);
    expect(provider.agentIdsOf?.(sessionId)).toEqual([copy]);
    const listed = provider.capabilities.discover ? await provider.listSessions?.(projectDir) : [];
    expect((listed ?? []).map((found) => found.sessionId).filter((id) => id !== sessionId)).toEqual([]);
    await provider.loadSession(sessionId, { projectDir });
    const again = await provider.sendMessage(sessionId, prompts.text);
    expect(await ended(heard, again.turnId)).toMatchObject({ status: 'completed' });
    await provider.rebind?.(sessionId, before);
    await provider.loadSession(sessionId, { projectDir });
    const back = await provider.sendMessage(sessionId, prompts.text);
    expect(await ended(heard, back.turnId)).toMatchObject({ status: 'completed' });
  });
}
