import { appendFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { randomUUID } from 'node:crypto';

/**
 * `node misbehaving-agent.ts PHASE BEHAVIOUR FOLDER FLOOD`: an ACP agent that does one thing wrong in one phase, once:
 * in the first of its processes that gets there. All others behave. Appends prompts to FOLDER/PHASE-BEHAVIOUR.prompts.
 */
const [phase = '', behaviour = '', folder = '/tmp', flood = '1000'] = process.argv.slice(2);
const file = `${folder}/${phase.replace('/', '-')}-${behaviour}`;
type Message = {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly prompt?: readonly { readonly text?: string }[] };
};
type Reply = () => unknown;

const out = (message: object): boolean => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const say = (sessionId: string, messageId: string, text: string): boolean =>
  out({
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } } },
  });
let sessionId = 'none';
let running: { readonly id: unknown; isCancelled: boolean } | null = null;
let afterAnswer: Reply | null = null;

/** True for the one process that misbehaves in this phase. */
function isMine(reached: string): boolean {
  if (reached !== phase) return false;
  try {
    writeFileSync(`${file}.done`, '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** Sends far more than requested, as fast as it is accepted, with nonsense between the lines. */
function talk(lines: number, then: Reply): void {
  const messageId = randomUUID();
  let said = 0;
  const more = (): void => {
    for (let burst = 0; burst < 200 && said < lines; burst += 1, said += 1) {
      if (said % 50 === 0) process.stdout.write(`log line ${said}: {"half": \n`);
      if (said % 51 === 0) out({ id: `unasked-${said}`, result: {} });
      say(sessionId, messageId, `flood ${said} `);
    }
    if (said >= lines) return void then();
    if (process.stdout.writableNeedDrain) process.stdout.once('drain', more);
    else setImmediate(more);
  };
  more();
}

/** Does the wrong thing instead of, or in addition to, the right one. */
function misbehave(right: Reply): void {
  switch (behaviour) {
    case 'exit':
      if (phase === 'permission') right();
      return process.exit(7);
    case 'twice':
      right();
      right();
      return;
    case 'flood':
      // It ignores the request to stop.
      return talk(phase === 'session/cancel' ? Number.POSITIVE_INFINITY : Number(flood), right);
    default: // It hangs.
  }
}
const reach = (reached: string, right: Reply): unknown => (isMine(reached) ? misbehave(right) : right());

function prompt(id: unknown, text: string): void {
  appendFileSync(`${file}.prompts`, `${text}\n`);
  running = { id, isCancelled: false };
  const end = (): void => {
    say(sessionId, String(id), 'done');
    out({ id, result: { stopReason: running?.isCancelled ? 'cancelled' : 'end_turn' } });
  };
  if (text.includes('ask')) {
    const toolCall = { toolCallId: 'call', title: 'ls', kind: 'execute', status: 'pending' };
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ];
    const question = (): boolean =>
      out({ id: 'question', method: 'session/request_permission', params: { sessionId, toolCall, options } });
    const isWrong = isMine('permission');
    // It hangs after getting its answer, or exits while waiting for one.
    afterAnswer = isWrong && behaviour === 'hang' ? null : end;
    if (isWrong && behaviour !== 'hang') misbehave(question);
    if (!isWrong || behaviour === 'hang') question();
    return;
  }
  say(sessionId, String(id), 'once ');
  if (!text.includes('wait')) void reach('session/prompt', end);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Message;
  switch (method) {
    case 'initialize':
      return reach(method, () =>
        out({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] } }),
      );
    case 'session/new':
      sessionId = randomUUID();
      return reach(method, () => out({ id, result: { sessionId } }));
    case 'session/load':
      sessionId = params?.sessionId ?? sessionId;
      return reach(method, () => out({ id, result: {} }));
    case 'session/prompt':
      return prompt(id, params?.prompt?.map((block) => block.text ?? '').join('') ?? '');
    case 'session/cancel':
      if (running) running.isCancelled = true;
      return reach(method, () => out({ id: running?.id, result: { stopReason: 'cancelled' } }));
    case undefined:
      return id === 'question' ? afterAnswer?.() : undefined;
    default:
      return void out({ id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
});
