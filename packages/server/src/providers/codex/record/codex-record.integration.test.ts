import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { codexAgent } from '../../acp/catalogue/built-in-agents.ts';
import { opened, talkTo } from '../../acp/testing/scripted-agent.ts';
import type { CliProvider, ReplayedHistory } from '../../provider.ts';
import { type NativeUnderTest, startNative } from '../testing/native-under-test.ts';
import { withoutAccount } from '../../acp/testing/codex-home.ts';

const patience = 20_000;

let codex: NativeUnderTest | undefined;
afterEach(async () => {
  await codex?.cleanup();
  codex = undefined;
});
const start = async (options?: Parameters<typeof startNative>[0]): Promise<NativeUnderTest> =>
  (codex = await startNative(options));

async function say(provider: CliProvider, sessionId: string, prompt: string, turnId: string): Promise<void> {
  const turns: unknown[] = [];
  const leave = provider.onTurn(sessionId, (event) => turns.push(event));
  await provider.sendMessage(sessionId, prompt, { turnId });
  await vi.waitFor(() => expect(turns.at(-1)).toMatchObject({ turnId, status: 'completed' }), patience);
  leave();
}
const textsOf = (history: ReplayedHistory | undefined): string[] =>
  (history?.entries ?? []).flatMap(({ upsert }) => (upsert.type === 'message' ? [upsert.content] : []));
const turnsOf = (history: ReplayedHistory | undefined) => history?.turns.map(({ turnId }) => turnId);

test('CX-2 TC-4.1b: reads the record into the same turns and items at every load, newest first on request', async () => {
  const { provider, projectDir } = await start();
  const { sessionId } = await provider.createSession({ projectDir });
  const live: string[] = [];
  provider.onUpsert(sessionId, (upsert) => live.push(upsert.itemId));
  await say(provider, sessionId, '@shell sleep 0.3; echo out\n@text answer', 'first');
  await say(provider, sessionId, '@text more', 'second');
  await provider.killSession(sessionId);
  await provider.loadSession(sessionId, { projectDir });
  const whole = await provider.readHistory?.(sessionId);
  expect(whole?.turns).toMatchObject([
    { turnId: 'first', state: 'completed' },
    { turnId: 'second', state: 'completed' },
  ]);
  expect(textsOf(whole)).toEqual([expect.stringContaining('@text answer') as string, 'answer', '@text more', 'more']);
  expect(whole?.entries[1]?.upsert).toMatchObject({ type: 'tool_call', toolOutput: 'out\n', status: 'complete' });
  const own = whole?.entries.filter(({ upsert }) => upsert.type !== 'message' || upsert.origin !== 'user');
  expect(own?.map(({ upsert }) => upsert.itemId)).toEqual([...new Set(live)]);
  const newest = await provider.readHistory?.(sessionId, { newestTurns: 1 });
  expect([turnsOf(newest), newest?.hasMore]).toEqual([['second'], true]);
  expect(await provider.wasReceived?.(sessionId, 'second')).toBe(true);
  expect(await provider.wasReceived?.(sessionId, 'never')).toBe(false);
  await say(provider, sessionId, '@text again', 'third');
});

test('CX-1: a copy ends with the named turn and has no more rights; rolling back removes a turn and all later ones', async () => {
  const { provider, projectDir } = await start();
  const { sessionId } = await provider.createSession({ projectDir, providerOptions: { modeId: 'read-only' } });
  for (const turnId of ['one', 'two', 'three']) await say(provider, sessionId, `@text ${turnId}`, turnId);
  const copy = (await provider.forkSession?.(sessionId, { projectDir, turnId: 'two' }))?.sessionId ?? '';
  expect(turnsOf(await provider.readHistory?.(copy))).toEqual(['one', 'two']);
  // A copy that a killed server left isn't listed.
  const listed = (await provider.listSessions?.(projectDir))?.map((found) => found.sessionId) ?? [];
  expect([listed.includes(sessionId), listed.includes(copy)]).toEqual([true, false]);
  const infos: { modeId?: string | undefined }[] = [];
  provider.onSessionInfo?.(copy, (info) => infos.push(info));
  expect(infos.at(-1)).toMatchObject({ modeId: 'read-only' });
  const asked: Parameters<typeof opened>[0][number][] = [];
  provider.onPermission?.(copy, (signal) => asked.push(signal));
  await provider.sendMessage(copy, '@patch made.txt|hello\n@text no');
  expect((await opened(asked, patience)).toolName).toBe('apply_patch');
  await expect(provider.forkSession?.(sessionId, { projectDir, turnId: 'nope' })).rejects.toMatchObject({
    code: 'TURN_NOT_FOUND',
  });
  await provider.revert?.(sessionId, 'two');
  expect(turnsOf(await provider.readHistory?.(sessionId))).toEqual(['one']);
  await say(provider, sessionId, '@text instead', 'four');
  expect(turnsOf(await provider.readHistory?.(sessionId))).toEqual(['one', 'four']);
});

test('CX-2: a session of one connection opens through the other, with the same turns and mode', async () => {
  const { provider, projectDir, throughAdapter } = await start();
  const adapter = throughAdapter();
  const { sessionId } = await adapter.provider.createSession({ projectDir, providerOptions: { modeId: 'read-only' } });
  await say(adapter.provider, sessionId, '@text through the adapter', 'acp');
  // One writer at a time: while the adapter has it, the other connection is refused with a message.
  await expect(provider.loadSession(sessionId, { projectDir })).rejects.toMatchObject({
    code: 'SESSION_CREATE_FAILED',
    message: expect.stringMatching(/open in another process/) as string,
  });
  await adapter.provider.killSession(sessionId);
  await adapter.provider.loadSession(sessionId, { projectDir });
  const replayed = await adapter.provider.readHistory?.(sessionId);
  await adapter.provider.killSession(sessionId);

  const options = { projectDir, providerOptions: { modeId: 'read-only' } };
  await provider.loadSession(sessionId, options);
  const read = await provider.readHistory?.(sessionId);
  const sources = (history: ReplayedHistory | undefined) => history?.entries.map(({ sourceId }) => sourceId);
  expect(sources(read)).toEqual(sources(replayed));
  await say(provider, sessionId, '@text natively', 'native');
  await provider.killSession(sessionId);
  await adapter.provider.loadSession(sessionId, options);
  expect(textsOf(await adapter.provider.readHistory?.(sessionId))).toContain('natively');
});

test('CX-2: distinguishes a session open elsewhere, a missing one, and an unused one', async () => {
  const { provider, projectDir, another } = await start();
  const { sessionId } = await provider.createSession({ projectDir });
  await say(provider, sessionId, '@text mine', 'mine');
  const second = another();
  await expect(second.provider.loadSession(sessionId, { projectDir })).rejects.toMatchObject({
    code: 'SESSION_CREATE_FAILED',
    message: expect.stringMatching(/open in another process/) as string,
  });
  const unknown = '00000000-0000-7000-8000-000000000000';
  await expect(second.provider.loadSession(unknown, { projectDir })).rejects.toMatchObject({
    code: 'SESSION_NOT_FOUND',
  });
  await vi.waitFor(async () => expect(await second.processes()).toEqual([]));
  const fresh = (await provider.createSession({ projectDir })).sessionId;
  await provider.killSession(fresh);
  await provider.loadSession(fresh, { projectDir, unused: true });
  await say(provider, fresh, '@text first words', 'first');
  await provider.killSession(fresh);
  await provider.loadSession(fresh, { projectDir });
  expect(textsOf(await provider.readHistory?.(fresh))).toContain('first words');
  const listed = await provider.listSessions?.(projectDir);
  expect(new Set(listed?.map((found) => found.sessionId))).toEqual(new Set([sessionId, fresh]));
});

test('CX-2: one process lists sessions created elsewhere, including those of codex exec, and is ended', async () => {
  const { provider, projectDir, home, processes, starts } = await start();
  const program = codexAgent(home.env).login?.command?.replace(/ login$/, '') ?? '';
  const run = promisify(execFile)(program, ['exec', '@text made by exec'], { cwd: projectDir, env: home.env });
  run.child.stdin?.end();
  await run;
  const both = await Promise.all([provider.listSessions?.(projectDir), provider.listSessions?.(projectDir)]);
  const made = [expect.objectContaining({ cliType: 'codex', title: '@text made by exec', size: 0 })];
  expect(both).toEqual([made, made]);
  expect(starts()).toBe(1);
  expect(await provider.listSessions?.('/tmp')).toEqual([]);
  await vi.waitFor(async () => expect(await processes()).toEqual([]));
  const sessionId = both[0]?.[0]?.sessionId ?? '';
  await provider.loadSession(sessionId, { projectDir });
  expect(textsOf(await provider.readHistory?.(sessionId))).toEqual(['@text made by exec', 'made by exec']);
  await say(provider, sessionId, '@text and on', 'on');
});

test('CX-2: several sessions at once in a fresh home all start', async () => {
  const { provider, projectDir, another } = await start();
  const second = another();
  const sessions = await Promise.all([
    ...[1, 2, 3].map(() => provider.createSession({ projectDir })),
    second.provider.createSession({ projectDir }),
  ]);
  expect(new Set(sessions.map(({ sessionId }) => sessionId)).size).toBe(4);
});

describe('around a session', () => {
  test('CX-1: reports what to run and what to set without an account, and uses a key', async () => {
    const { provider, projectDir, processes } = await start({ prepare: withoutAccount });
    await expect(provider.createSession({ projectDir })).rejects.toMatchObject({
      code: 'AGENT_AUTH_REQUIRED',
      message: expect.stringMatching(
        /^Codex isn't signed in.*• Run `.*codex login`.*• Set CODEX_API_KEY or OPENAI_API_KEY/s,
      ) as string,
    });
    await vi.waitFor(async () => expect(await processes()).toEqual([]));
    await codex?.cleanup();
    const withKey = await start({ prepare: withoutAccount, env: { CODEX_API_KEY: 'sk-stand-in' } });
    expect(await withKey.provider.createSession({ projectDir: withKey.projectDir })).toMatchObject({
      cliType: 'codex',
    });
  });

  test('CX-1: reports the state of tool servers, and asks about their tools with the arguments', async () => {
    const { provider, projectDir } = await start({
      mode: 'read-only',
      prepare: (home) =>
        appendFileSync(
          join(home.env['CODEX_HOME'] ?? '', 'config.toml'),
          `[mcp_servers.notes]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["-e", ${JSON.stringify(notesServer)}]\n[mcp_servers.broken]\ncommand = "/no/such/program"\n`,
        ),
    });
    const talk = await talkTo(provider, projectDir, patience);
    await provider.sendMessage(talk.sessionId, '@tool mcp__notes/add_note {"text":"milk"}\n@text done');
    const request = await opened(talk.asked, patience);
    expect(request).toMatchObject({ toolName: 'mcp__notes__add_note', toolArguments: { text: 'milk' } });
    expect(request.callId).toBeDefined();
    await provider.resolvePermission?.(talk.sessionId, { requestId: request.requestId, optionId: 'allow_once' });
    await talk.ended();
    expect(talk.upserts.findLast(({ type }) => type === 'tool_call')).toMatchObject({ toolOutput: 'noted: milk' });
    expect(talk.infos.at(-1)?.mcpServers).toEqual(
      expect.arrayContaining([
        { name: 'notes', state: 'ready' },
        { name: 'broken', state: 'failed', message: expect.stringMatching(/broken/) as string },
      ]),
    );
  });
});

/** A tool server of a few lines. */
const notesServer = `
  const out = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const tool = { name: 'add_note', description: 'Adds a note', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };
    if (method === 'initialize')
      out({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } } });
    else if (method === 'tools/list') out({ id, result: { tools: [tool] } });
    else if (method === 'tools/call') out({ id, result: { content: [{ type: 'text', text: 'noted: ' + params.arguments.text }] } });
    else if (id !== undefined) out({ id, result: {} });
  });
`;
