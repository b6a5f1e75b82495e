import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import { startProviderUnderTest } from '../testing/provider-under-test.ts';
import { scriptedAgent, type Talk, talkTo } from '../testing/scripted-agent.ts';

let base = '';
let dir = '';
let started: ReturnType<typeof startProviderUnderTest>;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-services-')));
  dir = mkdtempSync(join(base, 'project-'));
  writeFileSync(join(base, 'secret'), 'secret');
});
afterEach(async () => {
  await started.cleanup();
  rmSync(base, { recursive: true });
});

/** An agent that sends us the given requests in turn, and repeats our answers. */
async function asking(requests: readonly [string, object][], spec: Partial<AgentSpec>): Promise<Talk> {
  const body = `
    let hello;
    on.initialize = ({ id, params }) => { hello = params.clientCapabilities; out({ id, result: { protocolVersion: 1 } }); };
    on['session/prompt'] = async ({ id }) => {
      say(JSON.stringify({ fs: hello.fs, terminal: hello.terminal }) + '\\n');
      for (const [method, params] of ${JSON.stringify(requests)}) say(JSON.stringify(await ask(method, params)) + '\\n');
      out({ id, result: { stopReason: 'end_turn' } });
    };`;
  started = startProviderUnderTest(scriptedAgent(body, spec));
  const talk = await talkTo(started.provider, dir);
  await started.provider.sendMessage(talk.sessionId, 'go');
  await talk.ended();
  return talk;
}

const answers = (talk: Talk): unknown[] => {
  const message = talk.upserts.findLast((upsert) => upsert.type === 'message');
  const lines = message && 'content' in message ? message.content.trim().split('\n') : [];
  return lines.map((line) => JSON.parse(line) as unknown);
};

test('offers files to agents that need them, only inside the folder', async () => {
  symlinkSync(join(base, 'secret'), join(dir, 'link'));
  const talk = await asking(
    [
      ['fs/write_text_file', { path: join(dir, 'new/a.txt'), content: 'written' }],
      ['fs/read_text_file', { path: join(dir, 'new/a.txt') }],
      ['fs/read_text_file', { path: join(dir, 'none.txt') }],
      ['fs/read_text_file', { path: join(dir, '../secret') }],
      ['fs/read_text_file', { path: join(dir, 'link') }],
      ['fs/write_text_file', { path: join(dir, 'link'), content: 'x' }],
      ['terminal/create', { command: 'true' }],
    ],
    { usesFiles: true },
  );
  const refusal = (code: number): unknown => expect.objectContaining({ code });
  expect(answers(talk)).toEqual([
    { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
    {},
    { content: 'written' },
    refusal(-32002),
    refusal(-32602),
    refusal(-32602),
    refusal(-32602),
    refusal(-32601),
  ]);
  expect(readFileSync(join(base, 'secret'), 'utf8')).toBe('secret');
});

test('offers neither to an agent that needs neither, and refuses its requests', async () => {
  const talk = await asking(
    [
      ['fs/read_text_file', { path: join(dir, 'a.txt') }],
      ['terminal/create', { command: 'true' }],
    ],
    {},
  );
  expect(answers(talk)).toEqual([
    { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    expect.objectContaining({ code: -32601 }),
    expect.objectContaining({ code: -32601 }),
  ]);
});

const running = (command: string, then: string): string => `
  on['session/prompt'] = async ({ id }) => {
    const { terminalId } = await ask('terminal/create', { command: ${JSON.stringify(command)} });
    const content = [{ type: 'terminal', terminalId }];
    ${then}
  };`;

test("shows a terminal's output in its call, from before and after they were linked", async () => {
  const body = running(
    'echo one; sleep 0.4; echo two >&2',
    `await new Promise((resolve) => setTimeout(resolve, 150));
     update({ sessionUpdate: 'tool_call', toolCallId: 'c', kind: 'execute', title: 'run', status: 'in_progress', content });
     const { exitCode } = await ask('terminal/wait_for_exit', { terminalId });
     update({ sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'completed', content });
     await ask('terminal/release', { terminalId });
     out({ id, result: { stopReason: 'end_turn' } });`,
  );
  started = startProviderUnderTest(scriptedAgent(body, { usesTerminals: true }));
  const talk = await talkTo(started.provider, dir);
  await started.provider.sendMessage(talk.sessionId, 'go');
  await talk.ended();
  const calls = talk.upserts.filter((upsert) => upsert.type === 'tool_call');
  expect(calls[0]).toMatchObject({ status: 'create', title: 'run' });
  expect(calls.at(-1)).toMatchObject({ status: 'complete', toolOutput: 'one\ntwo\n' });
});

test('a call linked to its terminal only at its end still has its output', async () => {
  const body = running(
    'echo all',
    `await ask('terminal/wait_for_exit', { terminalId });
     update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'run', status: 'completed', content });
     out({ id, result: { stopReason: 'end_turn' } });`,
  );
  started = startProviderUnderTest(scriptedAgent(body, { usesTerminals: true }));
  const talk = await talkTo(started.provider, dir);
  await started.provider.sendMessage(talk.sessionId, 'go');
  await talk.ended();
  expect(talk.upserts.at(-1)).toMatchObject({ type: 'tool_call', status: 'complete', toolOutput: 'all\n' });
});

test.each([
  ['kill', (talk: Talk) => started.provider.killSession(talk.sessionId)],
  ['the death of the agent', async () => void process.kill((await started.processes())[0] ?? 0, 'SIGKILL')],
])('commands end with the session: %s', async (_, end) => {
  started = startProviderUnderTest(scriptedAgent(running('sleep 60', `say('runs');`), { usesTerminals: true }));
  const talk = await talkTo(started.provider, dir);
  await started.provider.sendMessage(talk.sessionId, 'go');
  await vi.waitFor(() => expect(talk.upserts.length).toBeGreaterThan(0));
  expect((await started.processes()).length).toBeGreaterThan(1);
  await end(talk);
  await vi.waitFor(async () => expect(await started.processes()).toEqual([]), 5_000);
});
