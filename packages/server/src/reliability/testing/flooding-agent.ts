import { createInterface } from 'node:readline';
import { randomUUID } from 'node:crypto';

/**
 * `node flooding-agent.ts ATTACK FOLDER`: an ACP agent that answers every message at once, and attacks when asked to.
 * FOLDER has `large`, a file of the largest readable size, and `newlines`, which has nothing but newlines.
 */
const [attack = '', folder = '/tmp'] = process.argv.slice(2);
type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly prompt?: readonly { readonly text?: string }[] };
  readonly result?: { readonly terminalId?: string };
};

const mebibyte = 'x'.repeat(1024 * 1024);
const out = (message: object): boolean => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const update = (content: object): boolean => out({ method: 'session/update', params: { sessionId, update: content } });
const say = (text: string): boolean =>
  update({ sessionUpdate: 'agent_message_chunk', messageId: 'm', content: { type: 'text', text } });
let sessionId = 'none';
let running: unknown = null;
let isCancelled = false;
let count = 0;

/** Repeats a message as fast as it is accepted. */
function forEver(once: (index: number) => boolean): void {
  const more = (): void => {
    if (isCancelled) return;
    for (let burst = 0; burst < 100; burst += 1) {
      count += 1;
      if (once(count)) continue;
      return void process.stdout.once('drain', more);
    }
    setImmediate(more);
  };
  more();
}

const call = (index: number, status: string): boolean =>
  update({
    sessionUpdate: 'tool_call',
    toolCallId: `call-${index}`,
    title: 'work',
    kind: 'execute',
    status,
    rawInput: { input: mebibyte },
  });
const ask = (id: string, method: string, params: object): boolean =>
  out({ id, method, params: { sessionId, ...params } });
const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

const attacks: Readonly<Record<string, () => void>> = {
  'unfinished tool calls': () => forEver((index) => call(index, 'in_progress')),
  'finished tool calls': () => forEver((index) => call(index, 'completed')),
  'small pieces of text': () => forEver((index) => say(`word ${index} `)),
  'endless text': () => forEver(() => say(mebibyte)),
  'permission requests': () =>
    forEver((index) => {
      const toolCall = { toolCallId: `call-${index}`, title: 'ls', kind: 'execute', rawInput: { input: mebibyte } };
      return ask(`question-${index}`, 'session/request_permission', { toolCall, options });
    }),
  'replies that are never read': () => {
    process.stdin.pause();
    for (let index = 0; index < 700; index += 1) ask(`read-${index}`, 'fs/read_text_file', { path: `${folder}/large` });
  },
  'files with many lines': () => {
    for (let index = 0; index < 200; index += 1) {
      ask(`read-${index}`, 'fs/read_text_file', { path: `${folder}/newlines`, line: 8_000_000 });
    }
  },
  'a command that never stops printing': () =>
    ask('terminal', 'terminal/create', { command: 'yes', args: ['a line of output'] }),
};

const end = (stopReason: string): boolean => out({ id: running, result: { stopReason } });

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line) as Message;
  switch (method) {
    case 'initialize':
      return out({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] } });
    case 'session/new':
      sessionId = randomUUID();
      return out({ id, result: { sessionId } });
    case 'session/load':
      sessionId = params?.sessionId ?? sessionId;
      return out({ id, result: {} });
    case 'session/prompt':
      running = id;
      if (params?.prompt?.some((block) => block.text?.includes('attack'))) return attacks[attack]?.();
      say('done');
      return end('end_turn');
    case 'session/cancel':
      isCancelled = true;
      return end('cancelled');
    case undefined:
      if (id !== 'terminal') return undefined;
      return update({
        sessionUpdate: 'tool_call',
        toolCallId: 'call',
        title: 'yes',
        kind: 'execute',
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId: result?.terminalId }],
      });
    default:
      return out({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
});
