import { expect, test, vi } from 'vitest';
import type { ProviderError } from '../../provider-error.ts';
import type { ContractKit } from './contract-kit.ts';

/** How sessions start, reload and end, and what is refused. */
export function sessionLifeContract(kit: ContractKit): void {
  const { patience, create, listen, ended, begun, refusal } = kit;

  test('reports that it can start here', async () => {
    expect(await kit.provider.availability()).toMatchObject({ available: true });
  });

  test('send after kill fails with a code; load restores the session', async () => {
    const sessionId = await create();
    const heard = listen(sessionId);
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    await ended(heard, turnId);
    await kit.provider.killSession(sessionId);
    expect(['SESSION_DEAD', 'PROCESS_CRASH']).toContain(
      await refusal(kit.provider.sendMessage(sessionId, kit.subject.prompts.text)),
    );
    await kit.provider.killSession(sessionId);
    await kit.provider.loadSession(sessionId, { projectDir: kit.subject.projectDir });
    const again = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    expect(await ended(heard, again.turnId)).toMatchObject({ status: 'completed' });
  });

  if (!kit.isWhole) return;

  test('create returns a live session of its type; kill ends it and leaves no process', async () => {
    const session = await kit.provider.createSession({ projectDir: kit.subject.projectDir });
    expect(session.cliType).toBe(kit.provider.cliType);
    await kit.provider.sendMessage(session.sessionId, kit.subject.prompts.text);
    expect(kit.provider.isAlive(session.sessionId)).toBe(true);
    expect(await kit.subject.processes()).not.toEqual([]);
    await kit.provider.killSession(session.sessionId);
    expect(kit.provider.isAlive(session.sessionId)).toBe(false);
    await vi.waitFor(async () => expect(await kit.subject.processes()).toEqual([]), patience);
  });

  test('kill covers a message that is still waking its agent: no process is left', async () => {
    const sessionId = await create();
    const heard = listen(sessionId);
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    await ended(heard, turnId);
    await kit.provider.killSession(sessionId);
    await kit.provider.loadSession(sessionId, { projectDir: kit.subject.projectDir });
    const sent = kit.provider.sendMessage(sessionId, kit.subject.prompts.slow).catch(() => {});
    await kit.provider.killSession(sessionId);
    await sent;
    expect(kit.provider.isAlive(sessionId)).toBe(false);
    await vi.waitFor(async () => expect(await kit.subject.processes()).toEqual([]), patience);
  });

  test('TC-3.2c: a process that dies in a turn is reported as PROCESS_CRASH, and the next send fails with it', async () => {
    const sessionId = await create();
    const heard = listen(sessionId);
    const closed = vi.fn<(reason: ProviderError) => void>();
    kit.provider.onClosed?.(sessionId, closed);
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.slow);
    await begun(heard);
    for (const pid of await kit.subject.processes()) endAtOnce(pid);
    expect(await ended(heard, turnId)).toMatchObject({ type: 'turn_error', errorCode: 'PROCESS_CRASH' });
    expect(kit.provider.isAlive(sessionId)).toBe(false);
    if (kit.provider.onClosed) await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1), patience);
    expect(await refusal(kit.provider.sendMessage(sessionId, kit.subject.prompts.text))).toBe('PROCESS_CRASH');
  });

  test('TC-2.1a: the port has create, load, send, cancel, kill, isAlive, onUpsert, onTurn', () => {
    expect(kit.provider).toMatchObject({ cliType: expect.any(String) as string, name: expect.any(String) as string });
    const methods = [
      'createSession',
      'loadSession',
      'sendMessage',
      'cancelTurn',
      'killSession',
      'isAlive',
      'onUpsert',
      'onTurn',
    ];
    for (const method of methods) expect(kit.provider).toHaveProperty(method, expect.any(Function));
    expect(Object.values(kit.provider.capabilities).every((can) => typeof can === 'boolean')).toBe(true);
  });

  test('an unused session leaves no process, and isn’t listed if its provider supports prepare', async () => {
    const { sessionId } = await kit.provider.createSession({ projectDir: kit.subject.projectDir });
    await kit.provider.killSession(sessionId);
    await vi.waitFor(async () => expect(await kit.subject.processes()).toEqual([]), patience);
    const found = (await kit.provider.listSessions?.(kit.subject.projectDir)) ?? [];
    const isFound = found.some((session) => session.sessionId === sessionId);
    expect({ isFound, mayBeBegunAhead: kit.provider.capabilities.prepare === true }).not.toEqual({
      isFound: true,
      mayBeBegunAhead: true,
    });
  });

  test('loading an open session returns it and starts nothing', async () => {
    const sessionId = await create();
    await kit.provider.sendMessage(sessionId, kit.subject.prompts.slow);
    const before = kit.subject.starts();
    expect(await kit.provider.loadSession(sessionId, { projectDir: kit.subject.projectDir })).toEqual({
      sessionId,
      cliType: kit.provider.cliType,
    });
    expect(kit.subject.starts()).toBe(before);
  });

  test('an unknown session is SESSION_NOT_FOUND', async () => {
    expect(kit.provider.isAlive('no-such-session')).toBe(false);
    expect(await refusal(kit.provider.sendMessage('no-such-session', 'hello'))).toBe('SESSION_NOT_FOUND');
    const { projectDir } = kit.subject;
    expect(await refusal(kit.provider.loadSession('no-such-session', { projectDir }))).toBe('SESSION_NOT_FOUND');
    await kit.provider.killSession('no-such-session');
    expect(await kit.subject.processes()).toEqual([]);
  });

  test.each(['/no/such/folder', 'relative', '~', ''])(
    'the folder "%s" is PROJECT_DIR_INVALID and starts nothing',
    async (projectDir) => {
      expect(await refusal(kit.provider.createSession({ projectDir }))).toBe('PROJECT_DIR_INVALID');
      expect(await kit.subject.processes()).toEqual([]);
    },
  );

  test('forgetting a session ends its process and drops its listeners; load restores it', async () => {
    const sessionId = await create();
    const dropped = listen(sessionId);
    const first = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    await ended(dropped, first.turnId);
    const before = dropped.turns.length;
    await kit.provider.forgetSession?.(sessionId);
    expect(kit.provider.isAlive(sessionId)).toBe(false);
    await vi.waitFor(async () => expect(await kit.subject.processes()).toEqual([]), patience);
    const heard = listen(sessionId);
    await kit.provider.loadSession(sessionId, { projectDir: kit.subject.projectDir });
    const { turnId } = await kit.provider.sendMessage(sessionId, kit.subject.prompts.text);
    expect(await ended(heard, turnId)).toMatchObject({ status: 'completed' });
    expect(dropped.turns.length).toBe(before);
  });

  test('close ends every process', async () => {
    const sessions = [await create(), await create()];
    await kit.provider.close();
    expect(sessions.some((sessionId) => kit.provider.isAlive(sessionId))).toBe(false);
    await vi.waitFor(async () => expect(await kit.subject.processes()).toEqual([]), patience);
  });
}

/** Agents start helpers that may have exited since they were listed. */
function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
