import {
  type Options,
  prewarm,
  query,
  type SDKMessage,
  type SDKUserMessage,
  startup,
} from '@anthropic-ai/claude-agent-sdk';

export type BareHome = { readonly env: Readonly<Record<string, string>>; readonly dir: string };

const options = ({ env, dir }: BareHome): Options => ({
  cwd: dir,
  env: { ...env },
  includePartialMessages: true,
  settingSources: ['user', 'project', 'local'],
});

/** Milliseconds to the first word of a cold `query()`. */
export async function coldQuery(home: BareHome, prompt: string): Promise<number> {
  const began = performance.now();
  return untilFirstWord(query({ prompt: input(prompt), options: options(home) }), began);
}

/** From a spare started in advance, which knows neither folder nor prompt. */
export async function claimedSpare(home: BareHome, prompt: string): Promise<number> {
  const { cwd: _, ...hostOptions } = options(home);
  const spare = await prewarm({ options: hostOptions });
  const began = performance.now();
  return untilFirstWord(spare.claim({ prompt: input(prompt), options: { cwd: home.dir } }), began);
}

/** From a process started in advance in the right folder, which nobody could know in practice. */
export async function startedBefore(home: BareHome, prompt: string): Promise<number> {
  const warm = await startup({ options: options(home) });
  const began = performance.now();
  return untilFirstWord(warm.query(input(prompt)), began);
}

async function* input(prompt: string): AsyncGenerator<SDKUserMessage> {
  yield { type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null, session_id: '' };
  // The input stays open, as in a session that continues.
  await new Promise(() => {});
}

async function untilFirstWord(running: AsyncIterable<SDKMessage> & { close(): void }, began: number): Promise<number> {
  let first: number | null = null;
  for await (const message of running) {
    const isWord = message.type === 'stream_event' && message.event.type === 'content_block_delta';
    if (isWord) first ??= performance.now();
    if (message.type === 'result') break;
  }
  running.close();
  if (first === null) throw new Error('Claude Code ended without a word');
  return first - began;
}
