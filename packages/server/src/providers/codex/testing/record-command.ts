import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { codexHome, type CodexMode, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { asRecord, asRecords, asText, type Loose } from '../../kit/read-json.ts';
import { codexServer } from '../process/codex-program.ts';
import { findMode, threadRights } from '../session/modes.ts';
import { turnInput } from '../session/steer-turn.ts';

/**
 * Records the real `codex app-server`, offline, with the scripted model: `record-command.ts OUT PROMPT…`. Each prompt
 * is a script of the stand-in and is sent when the turn before it has ended. At the end its history is requested.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', default: 'read-only' },
    /** The answer to approvals: accept, acceptForSession, decline or cancel; `silent` answers nothing. */
    answer: { type: 'string', default: 'accept' },
    plan: { type: 'boolean', default: false },
    /** The first prompt is the instruction for a review. */
    review: { type: 'boolean', default: false },
    /** Milliseconds after the first message. */
    'interrupt-after': { type: 'string' },
    'kill-after': { type: 'string' },
    /** The second prompt goes into the turn of the first. */
    'steer-after': { type: 'string' },
  },
});
const [out, ...prompts] = positionals;
if (out === undefined || prompts.length === 0) {
  process.stderr.write('usage: npm run record -- codex OUT [--mode M] [--answer A] [--interrupt-after MS] PROMPT…\n');
  process.exit(2);
}

const model = await startStandInModel();
const home = codexHome(model, { mode: values.mode as CodexMode });
const project = projectFolder();
const file = openSync(out, 'w');
const beginning = performance.now();
const { command, args } = codexServer(home.env).server;
const child = spawn(command, [...args], { cwd: project.dir, env: { ...home.env }, stdio: ['pipe', 'pipe', 'ignore'] });
const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));

/** Test data must not contain this machine's paths. */
const tidy = (text: string): string =>
  text
    .replaceAll(project.dir, '/workspace/project')
    .replaceAll(home.dir, '/home/user')
    .replaceAll(model.baseUrl, 'http://model');
const note = (dir: string, msg: Loose): void =>
  void writeSync(file, `${tidy(JSON.stringify({ ms: Math.round(performance.now() - beginning), dir, msg }))}\n`);

const waiting = new Map<number, (message: Loose) => void>();
const awaited = new Map<string, (params: Loose) => void>();
let sent = 0;
const write = (message: Loose): void => {
  note('client->agent', message);
  child.stdin.write(`${JSON.stringify(message)}\n`);
};
const ask = (method: string, params: Loose): Promise<Loose> =>
  new Promise((resolve) => {
    waiting.set(sent, (message) => resolve(asRecord(message['result'])));
    write({ id: sent++, method, params });
  });
const next = (method: string): Promise<Loose> => new Promise((resolve) => void awaited.set(method, resolve));

createInterface({ input: child.stdout }).on('line', (line) => {
  const message = asRecord(JSON.parse(line));
  note('agent->client', message);
  const method = asText(message['method']);
  if (method === undefined) return waiting.get(Number(message['id']))?.(message);
  awaited.get(method)?.(asRecord(message['params']));
  if ('id' in message && values.answer !== 'silent')
    write({ id: message['id'], result: answerTo(method, asRecord(message['params'])) });
});

function answerTo(method: string, params: Loose): unknown {
  const isAllowed = values.answer.startsWith('accept');
  if (method === 'item/tool/requestUserInput') {
    const chosen = asRecords(params['questions']).map((question) => {
      const label = asText(asRecords(question['options'])[0]?.['label']) ?? '';
      return [asText(question['id']) ?? '', { answers: [label] }];
    });
    return { answers: Object.fromEntries(chosen) };
  }
  if (method === 'mcpServer/elicitation/request')
    return { action: isAllowed ? 'accept' : 'decline', content: null, _meta: null };
  return { decision: values.answer };
}

async function after(ms: string | undefined, act: () => unknown): Promise<void> {
  if (ms === undefined) return;
  await delay(Number(ms), undefined, { ref: false });
  act();
}

await ask('initialize', {
  clientInfo: { name: 'liminal-builder', title: 'Liminal Builder', version: '0.0.0' },
  capabilities: { experimentalApi: true, requestAttestation: false },
});
write({ method: 'initialized' });
const mode = findMode(values.mode);
const opened = await ask('thread/start', { cwd: project.dir, ...(mode && threadRights(mode)) });
const threadId = asText(asRecord(opened['thread'])['id']) ?? '';

const [, second = ''] = prompts;
const inOrder = values['steer-after'] === undefined ? prompts : prompts.filter((prompt) => prompt !== second);
for (const [index, prompt] of inOrder.entries()) {
  const completed = next('turn/completed');
  const settings = { model: 'gpt-5.5', reasoning_effort: null, developer_instructions: null };
  const started =
    values.review && index === 0
      ? await ask('review/start', { threadId, target: { type: 'custom', instructions: prompt } })
      : await ask('turn/start', {
          threadId,
          clientUserMessageId: `turn-${index + 1}`,
          input: turnInput(prompt, []),
          ...(values.plan && { collaborationMode: { mode: 'plan', settings } }),
        });
  const turnId = asText(asRecord(started['turn'])['id']) ?? '';
  if (index === 0) {
    void after(values['interrupt-after'], () => ask('turn/interrupt', { threadId, turnId }));
    void after(values['kill-after'], () => child.kill('SIGKILL'));
    void after(values['steer-after'], () =>
      ask('turn/steer', {
        threadId,
        expectedTurnId: turnId,
        clientUserMessageId: 'steered',
        input: turnInput(second, []),
      }),
    );
  }
  await Promise.race([completed, ended]);
}
// Waits for the remaining output of a background command.
if (child.exitCode === null && prompts.some((prompt) => prompt.includes('yield_time_ms'))) await next('item/completed');
if (child.exitCode === null && child.signalCode === null) {
  await ask('thread/turns/list', { threadId, limit: 100, sortDirection: 'desc', itemsView: 'full' });
  child.kill('SIGKILL');
}
await ended;
note('exit', {});
closeSync(file);
await model.close();
project.cleanup();
home.cleanup();
