import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * `node recording-agent.ts FILE`: speaks just enough ACP by hand and appends every prompt it receives to FILE before it
 * does anything else, so a test can count how often each message arrived. What it then does is in the prompt:
 *
 * | words | it |
 * |---|---|
 * | `say N` | says N words, one every few milliseconds; the default is 20 |
 * | `hang` | says one word and then nothing, until it is cancelled |
 * | `deaf` | the same, and does not react to cancel |
 * | `die` | says one word and ends itself with SIGKILL |
 * | `ask` | asks for permission first |
 * | `tool` | starts a process that leaves its group and its parents behind, then hangs and ignores SIGTERM |
 * | `tool die` | the same, then ends itself |
 * | `bare tool` | the process has no environment either; its id is appended to FILE.bare |
 */
const [file = '/dev/null'] = process.argv.slice(2);
type Params = { sessionId?: string; prompt?: readonly { text?: string }[] };
type Message = { id?: unknown; method?: string; params?: Params; result?: unknown };
type Prompt = { readonly sessionId: string; readonly text: string; stop: () => void; isCancelled: boolean };

const running = new Map<string, Prompt>();
const answers = new Map<number, (result: unknown) => void>();
let asked = 0;

const out = (message: object): void => void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (sessionId: string, change: object): void =>
  out({ method: 'session/update', params: { sessionId, update: change } });
const say = (sessionId: string, messageId: string, text: string): void =>
  update(sessionId, { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });

function ask(sessionId: string): Promise<unknown> {
  const id = ++asked;
  const options = [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ];
  const toolCall = { toolCallId: randomUUID(), title: 'rm -rf build', kind: 'execute', status: 'pending' };
  out({ id, method: 'session/request_permission', params: { sessionId, toolCall, options } });
  return new Promise((resolve) => answers.set(id, resolve));
}

/** A shell in its own session starts a sleeper and exits, so the sleeper has no connection to us. */
function startTool(isBare: boolean): Promise<void> {
  process.on('SIGTERM', () => {});
  const script = `trap "" HUP TERM; sleep 600 & ${isBare ? 'echo $! >> "$0";' : ''} exit 0`;
  const shell = spawn('/bin/sh', ['-c', script, `${file}.bare`], {
    detached: true,
    stdio: 'ignore',
    ...(isBare ? { env: {} } : {}),
  });
  return new Promise((resolve) => shell.once('exit', () => resolve()));
}

async function perform({ sessionId, text }: Prompt, stopped: Promise<void>, isStopped: () => boolean): Promise<void> {
  const messageId = randomUUID();
  if (/\bask\b/.test(text)) await Promise.race([ask(sessionId), stopped]);
  if (/\btool\b/.test(text)) await startTool(/\bbare\b/.test(text));
  if (/\b(hang|deaf|die|tool)\b/.test(text)) {
    say(sessionId, messageId, 'once');
    if (/\bdie\b/.test(text)) process.kill(process.pid, 'SIGKILL');
    await stopped;
    return;
  }
  const count = Number(/\bsay (\d+)/.exec(text)?.[1] ?? 20);
  for (let word = 0; word < count && !isStopped(); word += 1) {
    say(sessionId, messageId, `word${word} `);
    await Promise.race([new Promise((resolve) => setTimeout(resolve, 2)), stopped]);
  }
}

async function prompt(id: unknown, sessionId: string, text: string): Promise<void> {
  appendFileSync(file, `${JSON.stringify({ sessionId, text })}\n`);
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const current: Prompt = { sessionId, text, stop, isCancelled: false };
  running.set(sessionId, current);
  await perform(current, stopped, () => current.isCancelled);
  running.delete(sessionId);
  out({ id, result: { stopReason: current.isCancelled ? 'cancelled' : 'end_turn' } });
}

function cancel(sessionId: string): void {
  const current = running.get(sessionId);
  if (!current || /\bdeaf\b/.test(current.text)) return;
  current.isCancelled = true;
  current.stop();
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {}, result } = JSON.parse(line) as Message;
  const { sessionId = '', prompt: blocks = [] } = params;
  switch (method) {
    case 'initialize':
      return out({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] } });
    case 'session/new':
      return out({ id, result: { sessionId: `rec-${randomUUID()}` } });
    case 'session/load':
      return out({ id, result: {} });
    case 'session/prompt':
      return void prompt(id, sessionId, blocks.map((block) => block.text ?? '').join(''));
    case 'session/cancel':
      return cancel(sessionId);
    case undefined:
      return answers.get(Number(id))?.(result);
    default:
      return out({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
});
// It doesn't exit at the end of its input: its parent must end it.
process.stdin.on('end', () => setInterval(() => {}, 60_000));
