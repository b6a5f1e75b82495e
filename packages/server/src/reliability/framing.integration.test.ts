import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TurnEvent, UpsertObject } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJsonLines } from '../providers/acp/connection/json-lines.ts';
import { startProviderUnderTest } from '../providers/acp/testing/provider-under-test.ts';
import { scriptedAgent, talkTo } from '../providers/acp/testing/scripted-agent.ts';
import { listenTo, startClaudeUnderTest } from '../providers/claude/testing/claude-under-test.ts';
import { createLineLimit, maxLineBytes } from '../providers/kit/line-limit.ts';
import { createRandom, type Random } from './testing/random.ts';
import { report } from './testing/report.ts';
import { scaled, seed, testTimeout } from './testing/torture.ts';

const mebibyte = 1024 * 1024;

let dir: string;
let cleanup: () => Promise<void> = async () => {};
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'liminal-framing-'));
});
afterEach(async () => {
  await cleanup();
  rmSync(dir, { recursive: true, force: true });
});

/** Lines as agents write them, valid or not: objects, log lines, blank and partial ones, in several scripts. */
function anyLines(random: Random): string {
  const words = ['ä€😀', '\\u0000', 'x'.repeat(random.below(200)), '\u2028', '\ufeff', '{"', ']', '\r', '\t', '👩‍👩‍👧'];
  const line = (): string =>
    random.pick([
      () => JSON.stringify({ [random.pick(words)]: random.pick(words), deep: [{ a: [random.below(9)] }] }),
      () => JSON.stringify({ a: Array.from({ length: random.below(20) }, () => random.pick(words)) }),
      () => `log: ${random.pick(words)}`,
      () => '{"half": ',
      () => '',
      () => '  [1, 2] ',
    ])();
  return Array.from({ length: 1 + random.below(12) }, line).join(random.pick(['\n', '\r\n'])) + random.pick(['\n', '']);
}

function read(pieces: readonly Uint8Array[]): unknown[] {
  const seen: unknown[] = [];
  const lines = createJsonLines(
    (value) => seen.push(value),
    (line) => seen.push(line),
  );
  for (const piece of pieces) lines.push(piece);
  return seen;
}

/** Up to the limit, the whole line is published. Beyond it, the turn ends with an error that names the limit. */
function expectTakenOrRefused(line: string, size: number, end: TurnEvent, upserts: readonly UpsertObject[]): void {
  const isTaken = size <= maxLineBytes;
  const refusal = { type: 'turn_error', errorMessage: expect.stringMatching(/more than 33554432 bytes/) as string };
  expect(end).toMatchObject(isTaken ? { type: 'turn_complete', status: 'completed' } : refusal);
  const longest = Math.max(0, ...upserts.map((item) => ('content' in item ? item.content.length : 0)));
  expect(longest > 31 * mebibyte).toBe(isTaken);
  report('Framing', line, isTaken ? 'accepted' : 'rejected with a message, process ended');
}

describe('framing', () => {
  it(
    `any split of the bytes gives the same lines (seed ${seed})`,
    () => {
      const random = createRandom(seed);
      const [streams, splits] = [scaled(300, 5_000), 6];
      let longest = 0;
      for (let stream = 0; stream < streams; stream += 1) {
        const bytes = new TextEncoder().encode(anyLines(random));
        const whole = read([bytes]);
        longest = Math.max(longest, bytes.length);
        for (let split = 0; split < splits; split += 1) {
          const step = split === 0 ? 1 : 1 + random.below(40);
          const pieces: Uint8Array[] = [];
          for (let at = 0; at < bytes.length;) {
            const end = at + (split === 0 ? 1 : 1 + random.below(step));
            pieces.push(bytes.subarray(at, end));
            at = end;
          }
          expect(read(pieces), `stream ${stream}`).toEqual(whole);
          const limit = createLineLimit(40);
          const isShort = Buffer.from(bytes)
            .toString('latin1')
            .split('\n')
            .every((line) => line.length <= 40);
          expect(
            pieces.every((piece) => limit.pass(piece)),
            `stream ${stream}`,
          ).toBe(isShort);
        }
      }
      report('Framing', 'split streams', `${streams} × ${splits} (up to ${longest} bytes): identical results`);
    },
    testTimeout,
  );

  const claims = [
    ['32 MiB', 32 * mebibyte],
    ['33 MiB', 33 * mebibyte],
  ] as const;

  it.each(claims)(
    'a line of %s of an ACP agent is accepted, or rejected with the reason',
    async (name, size) => {
      // The JSON around the text is part of the line, but the line ending isn't.
      const body = `on['session/prompt'] = ({ id }) => {
        const frame = (text) => JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } } });
        process.stdout.write(frame('x'.repeat(${size} - frame('').length)) + '\\n', () => out({ id, result: { stopReason: 'end_turn' } }));
      };`;
      const started = startProviderUnderTest(scriptedAgent(body));
      cleanup = started.cleanup;
      const talk = await talkTo(started.provider, dir, 60_000);
      await started.provider.sendMessage(talk.sessionId, 'hi');
      const end = await talk.ended();
      expectTakenOrRefused(`a line of ${name}, ACP agent`, size, end, talk.upserts);
    },
    testTimeout,
  );

  it.each(claims)(
    'a line of %s of Claude Code is accepted, or rejected with the reason',
    async (name, size) => {
      const program = join(dir, 'claude');
      writeFileSync(program, claudeThatSays(size));
      chmodSync(program, 0o755);
      const subject = await startClaudeUnderTest({ extraEnv: { LIMINAL_CLAUDE_PATH: program } });
      cleanup = subject.cleanup;
      const { sessionId } = await subject.provider.createSession({ projectDir: subject.projectDir });
      const heard = listenTo(subject.provider, sessionId);
      const end = await heard.ended((await subject.provider.sendMessage(sessionId, 'hi')).turnId);
      expectTakenOrRefused(`a line of ${name}, Claude Code`, size, end, heard.items());
    },
    testTimeout,
  );
});

/** Implements just enough of Claude Code's protocol, with one very long line. */
const claudeThatSays = (size: number): string => `#!${process.execPath}
const out = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const session_id = '00000000-0000-4000-8000-000000000000';
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.type === 'control_request') {
    const response = { commands: [], models: [], output_style: 'default', available_output_styles: [], account: {} };
    return out({ type: 'control_response', response: { subtype: 'success', request_id: message.request_id, response } });
  }
  if (message.type !== 'user') return;
  out({ type: 'system', subtype: 'init', session_id, model: 'm', cwd: '/', tools: [], mcp_servers: [], permissionMode: 'default', uuid: 'u1' });
  const frame = (text) => JSON.stringify({ type: 'assistant', session_id, uuid: 'u2', parent_tool_use_id: null, message: { id: 'm1', role: 'assistant', model: 'm', content: [{ type: 'text', text }], stop_reason: 'end_turn' } });
  process.stdout.write(frame('x'.repeat(${size} - frame('').length)) + '\\n');
  out({ type: 'result', subtype: 'success', is_error: false, result: '', session_id, uuid: 'u3', usage: {}, duration_ms: 1, num_turns: 1 });
});
`;
