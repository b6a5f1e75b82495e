import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CliProvider, ReplayedHistory } from '../../provider.ts';
import { codexAgent } from '../catalogue/built-in-agents.ts';
import { type CodexUnderTest, startCodex } from '../testing/codex-under-test.ts';
import { talkTo } from '../testing/scripted-agent.ts';
import { withoutAccount } from '../testing/codex-home.ts';

let codex: CodexUnderTest | undefined;
afterEach(async () => {
  await codex?.cleanup();
  codex = undefined;
});

const start = async (options?: Parameters<typeof startCodex>[0]): Promise<CodexUnderTest> =>
  (codex = await startCodex(options));

async function say(provider: CliProvider, projectDir: string, prompt: string): Promise<string> {
  const talk = await talkTo(provider, projectDir);
  await provider.sendMessage(talk.sessionId, prompt);
  expect(await talk.ended()).toMatchObject({ status: 'completed' });
  return talk.sessionId;
}

const textsOf = (history: ReplayedHistory | undefined): string[] =>
  (history?.entries ?? []).flatMap(({ upsert }) => (upsert.type === 'message' ? [upsert.content] : []));

test('TC-4.1b, Q9: load replays the record into the same items, at every load, and the session continues', async () => {
  const { provider, projectDir } = await start();
  const sessionId = await say(provider, projectDir, '@shell sleep 0.3; echo out\n@text answer');
  const load = async (): Promise<ReplayedHistory | undefined> => {
    await provider.killSession(sessionId);
    await provider.loadSession(sessionId, { projectDir });
    return provider.readHistory?.(sessionId);
  };
  const first = await load();
  expect(first?.turns).toMatchObject([{ state: 'completed' }]);
  expect(textsOf(first)).toEqual([expect.stringContaining('@text answer') as string, 'answer']);
  expect(first?.entries.map(({ upsert }) => upsert.type)).toEqual(['message', 'tool_call', 'message']);
  expect(first?.entries[1]?.upsert).toMatchObject({ toolOutput: 'out\n', status: 'complete' });
  const ids = (history: ReplayedHistory | undefined) =>
    history?.entries.map(({ upsert, sourceId }) => [upsert.itemId, sourceId]);
  expect(ids(await load())).toEqual(ids(first));
  const talk = { turns: [] as unknown[] };
  provider.onTurn(sessionId, (event) => talk.turns.push(event));
  await provider.sendMessage(sessionId, '@text again', { turnId: 'again' });
  await vi.waitFor(() => expect(talk.turns.at(-1)).toMatchObject({ turnId: 'again', status: 'completed' }), 10_000);
});

test('Q10: a load restores the user’s mode, model and effort', async () => {
  const { provider, projectDir, another } = await start();
  const options = { modeId: 'read-only', effort: 'high' };
  const created = await provider.createSession({ projectDir, providerOptions: options });
  const { sessionId } = created;
  const turns: unknown[] = [];
  provider.onTurn(sessionId, (event) => turns.push(event));
  await provider.sendMessage(sessionId, '@text hello');
  await vi.waitFor(() => expect(turns.at(-1)).toMatchObject({ status: 'completed' }), 10_000);
  await provider.killSession(sessionId);

  const later = another();
  const infos: { modeId?: string | undefined; effort?: string | undefined; modelId?: string | undefined }[] = [];
  later.provider.onSessionInfo?.(sessionId, (info) => infos.push(info));
  // The quirk: unless it is set again, the mode comes back different.
  await later.provider.loadSession(sessionId, { projectDir });
  expect(infos.at(-1)).toMatchObject({ modeId: 'workspace-write' });
  await later.provider.killSession(sessionId);
  await later.provider.loadSession(sessionId, { projectDir, providerOptions: { ...options, modelId: 'gpt-5.5' } });
  expect(infos.at(-1)).toMatchObject({ modeId: 'read-only', effort: 'high', modelId: 'gpt-5.5' });
  // A missing model doesn't prevent opening the session; the mode still applies.
  await later.provider.killSession(sessionId);
  await later.provider.loadSession(sessionId, { projectDir, providerOptions: { ...options, modelId: 'gone' } });
  expect(infos.at(-1)).toMatchObject({ modeId: 'read-only' });
  await later.cleanup();
});

test('Q11, Q12: distinguishes a session open elsewhere from one that doesn’t exist', async () => {
  const { provider, projectDir, another } = await start();
  const sessionId = await say(provider, projectDir, '@text mine');
  const second = another();
  await expect(second.provider.loadSession(sessionId, { projectDir })).rejects.toMatchObject({
    code: 'SESSION_CREATE_FAILED',
    message: expect.stringMatching(/open in another process/) as string,
  });
  await expect(
    second.provider.loadSession('00000000-0000-7000-8000-000000000000', { projectDir }),
  ).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  expect(await second.processes()).toEqual([]);
  await second.cleanup();
});

test('Q12: an unused session opens again, and stays the same from then on', async () => {
  const { provider, projectDir } = await start();
  const { sessionId } = await provider.createSession({ projectDir });
  await provider.killSession(sessionId);
  await expect(provider.loadSession(sessionId, { projectDir })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  await provider.loadSession(sessionId, { projectDir, unused: true });
  const answer: { sessionId: string }[] = [];
  provider.onTurn(sessionId, (event) => answer.push(event));
  provider.onUpsert(sessionId, (upsert) => answer.push(upsert));
  await provider.sendMessage(sessionId, '@text first words');
  await vi.waitFor(() => expect(answer.at(-1)).toMatchObject({ status: 'completed' }), 10_000);
  expect(answer.every((event) => event.sessionId === sessionId)).toBe(true);
  await provider.killSession(sessionId);
  await provider.loadSession(sessionId, { projectDir });
  expect(textsOf(await provider.readHistory?.(sessionId))).toContain('first words');
  expect((await provider.listSessions?.(projectDir))?.map((found) => found.sessionId)).toEqual([sessionId]);
});

test('Q14 CX-1: a copy has the history and no more rights, and is independent even while the first is open', async () => {
  const { provider, projectDir } = await start();
  const { sessionId } = await provider.createSession({ projectDir, providerOptions: { modeId: 'read-only' } });
  const first: unknown[] = [];
  const sourceIds: string[] = [];
  provider.onTurn(sessionId, (event) => first.push(event));
  const leave = provider.onUpsert(sessionId, (_, how) => void (how?.sourceId && sourceIds.push(how.sourceId)));
  await provider.sendMessage(sessionId, '@text before the copy', { turnId: 'kept' });
  await vi.waitFor(() => expect(first.at(-1)).toMatchObject({ status: 'completed' }), 10_000);
  leave();
  await provider.sendMessage(sessionId, '@text not in the copy', { turnId: 'left out' });
  await vi.waitFor(() => expect(first.at(-1)).toMatchObject({ turnId: 'left out', status: 'completed' }), 10_000);
  const point = { projectDir, turnId: 'kept', sourceIds };
  const copy = (await provider.forkSession?.(sessionId, point))?.sessionId ?? '';
  expect(copy).not.toBe(sessionId);
  const copied = textsOf(await provider.readHistory?.(copy));
  expect(copied).toContain('before the copy');
  expect(copied).not.toContain('not in the copy');
  const asked: unknown[] = [];
  provider.onPermission?.(copy, (signal) => asked.push(signal));
  await provider.sendMessage(copy, '@patch made.txt|hello\n@text after');
  await vi.waitFor(() => expect(asked).toMatchObject([{ state: 'open' }]), 10_000);
  expect(existsSync(join(projectDir, 'made.txt'))).toBe(false);
  expect(provider.isAlive(sessionId)).toBe(true);
  await expect(provider.forkSession?.(sessionId, { projectDir, turnId: 'x' })).rejects.toMatchObject({
    code: 'NOT_SUPPORTED',
  });
});

test('lists sessions created elsewhere, with or without a running agent, and leaves no process', async () => {
  const { provider, projectDir, another } = await start();
  const sessionId = await say(provider, projectDir, '@text listed');
  const listed = [
    {
      sessionId,
      cliType: 'codex',
      title: expect.stringMatching(/\S/) as string,
      updatedAt: expect.stringMatching(/^2\d{3}-.*Z$/) as string,
      size: 0,
    },
  ];
  expect(await provider.listSessions?.(projectDir)).toEqual(listed);
  const second = another();
  const both = await Promise.all([
    second.provider.listSessions?.(projectDir),
    second.provider.listSessions?.(projectDir),
  ]);
  expect(both).toEqual([listed, listed]);
  expect(second.starts(), 'the adapter and Codex’s own server, once each').toBe(2);
  expect(await second.provider.listSessions?.('/tmp')).toEqual([]);
  await vi.waitFor(async () => expect(await second.processes()).toEqual([]));
  await second.cleanup();
});

test('Q15: several sessions at once in a fresh home all start', async () => {
  const { provider, projectDir, another } = await start();
  // Another server on the same home. This one can't wait for its first start.
  const second = another();
  const sessions = await Promise.all([
    ...[1, 2, 3].map(() => provider.createSession({ projectDir })),
    second.provider.createSession({ projectDir }),
  ]);
  expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(4);
  await second.cleanup();
});

test('Q15: reports the death of the app-server, and the session continues in the same mode', async () => {
  const { provider, projectDir, processes, home } = await start({ mode: 'read-only' });
  const talk = await talkTo(provider, projectDir);
  await provider.sendMessage(talk.sessionId, '@slow 100 50');
  await vi.waitFor(() => expect(talk.upserts.length).toBeGreaterThan(0), 10_000);
  const isServer = (pid: number): boolean => {
    const commandLine = `/proc/${pid}/cmdline`;
    // Codex starts helpers that may have exited since they were listed.
    return existsSync(commandLine) && /\/codex\0app-server/.test(readFileSync(commandLine, 'utf8'));
  };
  for (const pid of (await processes()).filter(isServer)) process.kill(pid, 'SIGKILL');
  expect(await talk.ended()).toMatchObject({ type: 'turn_error', errorCode: 'PROCESS_CRASH' });
  expect(provider.isAlive(talk.sessionId)).toBe(true);
  await provider.sendMessage(talk.sessionId, '@shell! touch made\n@text no');
  await vi.waitFor(() => expect(talk.asked.at(-1)).toMatchObject({ state: 'open' }), 15_000);
  expect(home.env['INITIAL_AGENT_MODE']).toBe('read-only');
});

describe('logging in', () => {
  test('reports what to run and what to set without an account, and leaves no process', async () => {
    const { provider, projectDir, processes } = await start({ prepare: withoutAccount });
    await expect(provider.createSession({ projectDir })).rejects.toMatchObject({
      code: 'AGENT_AUTH_REQUIRED',
      message: expect.stringMatching(
        /^Codex isn't signed in.*• Run `.*codex login`.*• Set CODEX_API_KEY or OPENAI_API_KEY/s,
      ) as string,
    });
    await vi.waitFor(async () => expect(await processes()).toEqual([]));
  });

  test('names a command that exists', async () => {
    const { provider, projectDir } = await start({ prepare: withoutAccount });
    const error = (await provider.createSession({ projectDir }).catch((reason: unknown) => reason)) as Error;
    const command = /`(.*codex) login`/.exec(error.message)?.[1] ?? '';
    expect(execFileSync(command, ['--version'], { encoding: 'utf8' })).toMatch(/codex/);
  });

  test('uses a key in the environment', async () => {
    const { provider, projectDir } = await start({ prepare: withoutAccount, env: { CODEX_API_KEY: 'sk-stand-in' } });
    expect(await provider.createSession({ projectDir })).toMatchObject({ cliType: 'codex' });
  });
});

test('lists, shows and continues a session of codex exec', async () => {
  const { provider, projectDir, home } = await start();
  const before = await say(provider, projectDir, '@text made here');
  const program = codexAgent(home.env).login?.command?.replace(/ login$/, '') ?? '';
  const run = promisify(execFile)(program, ['exec', '@text made by exec'], { cwd: projectDir, env: home.env });
  run.child.stdin?.end();
  await run;
  const listed = (await provider.listSessions?.(projectDir)) ?? [];
  const made = listed.find(({ sessionId }) => sessionId !== before);
  expect(new Set(listed.map(({ sessionId }) => sessionId))).toEqual(new Set([before, made?.sessionId]));
  expect(made).toMatchObject({ cliType: 'codex', title: '@text made by exec' });
  const sessionId = made?.sessionId ?? '';
  await provider.loadSession(sessionId, { projectDir });
  expect(textsOf(await provider.readHistory?.(sessionId))).toEqual(['@text made by exec', 'made by exec']);
  const turns: unknown[] = [];
  provider.onTurn(sessionId, (event) => turns.push(event));
  await provider.sendMessage(sessionId, '@text and on');
  await vi.waitFor(() => expect(turns.at(-1)).toMatchObject({ status: 'completed' }), 10_000);
});
