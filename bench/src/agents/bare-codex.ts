import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { familyMemory } from '../processes/process-memory.ts';
import type { CodexTimes } from './codex-through-us.ts';

type Message = { readonly id?: number; readonly method?: string; readonly result?: Record<string, unknown> };

const triples: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
};

/** The Codex program itself, without npm's wrapper script. */
function codexBinary(): string {
  const platform = `${process.platform}-${process.arch}`;
  const codex = createRequire(createRequire(import.meta.url).resolve('@openai/codex/package.json'));
  const vendor = join(dirname(codex.resolve(`@openai/codex-${platform}/package.json`)), 'vendor');
  const binary = join(vendor, triples[platform] ?? '', 'bin/codex');
  if (!existsSync(binary)) throw new Error(`${binary} is missing`);
  return binary;
}

/** `codex app-server` without our server: the same two turns. `first`: from an open thread. */
export async function codexByHand(
  env: Readonly<Record<string, string>>,
  dir: string,
  prompt: string,
): Promise<CodexTimes & { readonly first: number }> {
  const began = performance.now();
  const child = spawn(codexBinary(), ['app-server'], { cwd: dir, env: { ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const waiting = new Set<{ fits(message: Message): boolean; resolve(message: Message): void }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    for (const each of waiting)
      if (each.fits(message)) {
        waiting.delete(each);
        each.resolve(message);
      }
  });
  const next = (fits: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve) => void waiting.add({ fits, resolve }));
  let sent = 0;
  const write = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = sent++;
    const answer = next((message) => message.id === id && message.method === undefined);
    write({ id, method, params });
    return (await answer).result ?? {};
  };
  const turn = async (threadId: string): Promise<number> => {
    const word = next(({ method }) => method === 'item/agentMessage/delta').then(() => performance.now());
    const ended = next(({ method }) => method === 'turn/completed');
    await ask('turn/start', { threadId, input: [{ type: 'text', text: prompt, text_elements: [] }] });
    const at = await word;
    await ended;
    return at;
  };
  try {
    await ask('initialize', { clientInfo: { name: 'bench', version: '1' }, capabilities: { experimentalApi: true } });
    write({ method: 'initialized' });
    const started = await ask('thread/start', { cwd: dir, sandbox: 'workspace-write', approvalPolicy: 'on-request' });
    const threadId = (started['thread'] as { id: string }).id;
    const opened = performance.now();
    const spoken = await turn(threadId);
    const [cold, first] = [spoken - began, spoken - opened];
    const again = performance.now();
    const second = (await turn(threadId)) - again;
    return { cold, first, second, memory: familyMemory(child.pid ?? 0).rss };
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}
