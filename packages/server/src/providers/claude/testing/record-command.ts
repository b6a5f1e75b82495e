import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { claudeHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import { createAgentSpawner } from '../../../processes/spawn-agent.ts';
import { defaultLimits } from '../process/claude-deps.ts';
import { startClaudeProcess } from '../process/claude-process.ts';
import type { UserMessage } from '../process/claude-sdk.ts';
import { createMessageQueue } from '../process/message-queue.ts';
import { asRecord } from '../../kit/read-json.ts';

/**
 * Records the real Claude Code, offline, with the scripted model: `record-command.ts OUT PROMPT…`. Each prompt is a
 * script of the stand-in and is sent when the turn before it has ended.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', default: 'default' },
    /** Deny permission requests instead of allowing them. */
    deny: { type: 'boolean', default: false },
    /** Leave permission requests unanswered. */
    silent: { type: 'boolean', default: false },
    /** Milliseconds after the first message. */
    'interrupt-after': { type: 'string' },
    'kill-after': { type: 'string' },
    'send-after': { type: 'string' },
    /** Wait for this many results instead of one per prompt: an agent may wake by itself. */
    results: { type: 'string' },
  },
});
const [out, ...prompts] = positionals;
if (out === undefined || prompts.length === 0) {
  process.stderr.write('usage: npm run record -- claude-code OUT [--mode M] [--deny] [--interrupt-after MS] PROMPT…\n');
  process.exit(2);
}

const model = await startStandInModel();
const home = claudeHome(model);
const project = projectFolder();
const spawner = createAgentSpawner({ log: silentLog });
const file = openSync(out, 'w');
const beginning = performance.now();
const { promise: done, resolve: finish } = Promise.withResolvers<void>();

/** Test data must not contain this machine's paths. */
const tidy = (text: string): string =>
  text.replaceAll(project.dir, '/workspace/project').replaceAll(home.dir, '/home/user');
function note(kind: string, fields: object = {}): void {
  writeSync(file, `${tidy(JSON.stringify({ ms: Math.round(performance.now() - beginning), kind, ...fields }))}\n`);
}

const waiting = values['send-after'] === undefined ? prompts.slice(1) : prompts.slice(2);
let left = Number(values.results ?? prompts.length - (values['send-after'] === undefined ? 0 : 1));

const messages = createMessageQueue<UserMessage>();
const agent = startClaudeProcess(
  { spawner, log: silentLog, env: { ...home.env }, now: Date.now, newId: randomUUID, limits: defaultLimits },
  {
    heldLength: () => 0,
    toolCall: () => Promise.resolve(),
    said(message) {
      note('message', { message });
      if (asRecord(message)['type'] !== 'result') return;
      left -= 1;
      const next = waiting.shift();
      if (next !== undefined) send(next);
      else if (left <= 0) void agent.kill();
    },
    async permission({ toolName, input, signal, callId: toolUseID, ...context }) {
      note('permission-request', { toolName, toolInput: input, context: { ...context, toolUseID } });
      if (values.silent) {
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            note('permission-aborted', { toolUseID });
            resolve({ behavior: 'deny', message: 'Nobody answered.' });
          });
        });
      }
      const answer = values.deny
        ? ({ behavior: 'deny', message: 'The user said no.' } as const)
        : ({ behavior: 'allow', updatedInput: { ...input } } as const);
      note('permission-answer', { answer });
      return answer;
    },
    form: async () => ({ action: 'decline' }),
    ended({ wanted, reason }) {
      if (wanted) note('stream-ended');
      else note('stream-threw', { name: 'Error', text: reason });
      finish();
    },
  },
  {
    messages,
    trusted: false,
    mayBypass: values.mode === 'bypassPermissions',
    session: {
      cwd: project.dir,
      sessionId: randomUUID(),
      resume: false,
      model: undefined,
      mode: values.mode,
      effort: undefined,
      maxThinkingTokens: undefined,
    },
  },
);

function send(text: string): void {
  const uuid = randomUUID();
  note('send', { uuid, text });
  messages.push({ uuid, text, images: [] });
}

async function after(ms: string | undefined, act: () => void): Promise<void> {
  if (ms === undefined) return;
  await delay(Number(ms), undefined, { ref: false });
  act();
}

send(prompts[0] ?? '');
void after(values['send-after'], () => send(prompts[1] ?? ''));
void after(values['kill-after'], () => process.kill(agent.pid ?? 0, 'SIGKILL'));
void after(values['interrupt-after'], () => {
  note('interrupt');
  void agent.interrupt().catch(() => {});
});

await done;
await spawner.close();
await model.close();
closeSync(file);
project.cleanup();
home.cleanup();
