import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultUsage } from './steps.ts';
import type { Step, ToolWish } from './steps.ts';
import type { ReplyEncoder, StopReason, ToolCall, WholeReply } from './wire/wire-format.ts';

/** The parts of a performance that depend on the request: the tool calls for a wish, and their ids. */
export interface Performance {
  readonly steps: readonly Step[];
  readonly calls: (wish: ToolWish) => readonly ToolCall[];
  readonly callId: (index: number) => string;
  readonly wordMs: number;
  readonly signal: AbortSignal;
}

/** Streams the steps of one model call. Rejects when the signal aborts because the reader is gone. */
export async function streamReply(show: Performance, encoder: ReplyEncoder, response: ServerResponse): Promise<void> {
  const write = async (frames: string): Promise<void> => {
    if (frames && !response.write(frames)) await once(response, 'drain', { signal: show.signal });
  };
  let usage = defaultUsage;
  let stop: StopReason = 'end';
  let calls = 0;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await write(encoder.open());
  for (const [index, step] of show.steps.entries()) {
    switch (step.kind) {
      case 'say':
        await write(encoder.begin(step.voice));
        for await (const batch of paced(step.pieces, step.gapMs ?? show.wordMs, show.signal))
          await write(batch.map((piece) => encoder.delta(piece)).join(''));
        // A stream that falls silent does so mid-block: agents treat a complete block differently.
        if (!silences(show.steps[index + 1])) await write(encoder.end());
        break;
      case 'call':
        for (const call of show.calls(step.wish)) await write(encoder.call(call, show.callId(calls++)));
        stop = 'tool';
        break;
      case 'usage':
        usage = step.usage;
        break;
      case 'max-tokens':
        stop = 'max-tokens';
        break;
      case 'hang':
        await hang(show.signal);
        break;
      case 'drop':
        await drop(response, show.signal);
        return;
      case 'error':
      case 'fail':
        // Once the stream is open it is too late for an HTTP status: the error is sent inside the stream.
        response.end(encoder.fail(step.kind === 'fail' ? step.code : 'api_error', step.message));
        return;
    }
  }
  response.end(encoder.close(usage, stop));
}

const silences = (step: Step | undefined): boolean => step?.kind === 'drop' || step?.kind === 'hang';

/** The same steps as one reply, without a pace. The caller answers a fault in it. */
export function wholeReply(show: Performance): WholeReply | (Step & { kind: 'hang' | 'drop' | 'error' | 'fail' }) {
  const blocks: WholeReply['blocks'][number][] = [];
  let usage = defaultUsage;
  let stop: StopReason = 'end';
  let calls = 0;
  for (const step of show.steps) {
    switch (step.kind) {
      case 'say':
        blocks.push({ voice: step.voice, text: step.pieces.join('') });
        break;
      case 'call':
        for (const call of show.calls(step.wish)) blocks.push({ call, id: show.callId(calls++) });
        stop = 'tool';
        break;
      case 'usage':
        usage = step.usage;
        break;
      case 'max-tokens':
        stop = 'max-tokens';
        break;
      case 'hang':
      case 'drop':
      case 'error':
      case 'fail':
        return step;
    }
  }
  return { blocks, usage, stop };
}

/** Never answers; rejects when the reader disconnects. */
export async function hang(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  return await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** How long a reader on a busy machine may take to read what it got. Nothing tells when it has. */
const readMs = 400;

/** Cuts the connection after letting the reader see half an answer: an error would overtake unread data. */
export async function drop(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await delay(readMs, undefined, { signal });
  response.socket?.destroy();
}

const largestBatch = 256;

/** Yields pieces when they are due, late ones together, so a long answer keeps its rate. */
export async function* paced(
  pieces: readonly string[],
  gapMs: number,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const start = performance.now();
  let sent = 0;
  while (sent < pieces.length) {
    signal.throwIfAborted();
    // Due times count from the start, not from the last piece: timers run late, and delays must not add up.
    const due = gapMs > 0 ? Math.floor((performance.now() - start) / gapMs) + 1 : pieces.length;
    const batch = pieces.slice(sent, Math.min(due, sent + largestBatch));
    sent += batch.length;
    if (batch.length > 0) yield batch;
    const wait = gapMs > 0 && sent < pieces.length ? start + sent * gapMs - performance.now() : 0;
    if (wait > 0) await delay(Math.ceil(wait), undefined, { signal });
  }
}
