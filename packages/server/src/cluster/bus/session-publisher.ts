import type { HistoryPage, SessionHistory } from '@liminal/contracts';
import { type ChangeBody, itemKey, keyOf } from '@liminal/domain/delivery/change';
import { createOutbox, type OutboundMessage } from '@liminal/domain/delivery/outbox';
import type { RedisScript } from '../redis/run-script.ts';
import { adoptScript, baseScript, fillScript, publishScript } from '../redis/session-scripts.ts';
import type { SessionBus } from '../../bus/session-bus.ts';
import { createSessionSteps, type Step } from './session-steps.ts';

export type PublishVerdict = 'OK' | 'RESET' | 'FENCED' | 'LAPSED';
/** Runs a script over the keys of this session, as its owner. */
export type RunAsOwner = (script: RedisScript, args: readonly (string | number)[]) => Promise<PublishVerdict>;

export type SessionPublisherDeps = {
  readonly sessionId: string;
  readonly bus: Pick<SessionBus, 'follow'>;
  /** Whether there is a Redis to publish to, and we are the one to publish. */
  readonly mayWrite: () => boolean;
  readonly run: RunAsOwner;
  /** The newest state under a key, from memory or disk. */
  readonly newest: (key: string) => ChangeBody | undefined;
  /** Turns before one, as the session has them now. */
  readonly older: (before: string) => Promise<HistoryPage>;
  /** The mark under which this session was last brought from disk; '' when it was not. */
  readonly mark: string;
  readonly now: () => string;
  /** Claims the session under a new number; false when it is not ours any more. */
  readonly onFenced: () => Promise<boolean>;
  readonly onLapsed: () => void;
  readonly onError: (error: unknown) => void;
};

export type SessionPublisher = ReturnType<typeof createSessionPublisher>;

/** About so much of the last changes is kept, in so many entries; a reader that falls behind by more gets a history. */
const [changesBytes, fewestChanges, mostChanges] = [1024 * 1024, 8, 1_000];
const burstBytes = 32 * 1024;
const mostWaitingBytes = 4 * 1024 * 1024;
const retryMs = 500;

type Batch = { readonly prev: number; readonly messages: readonly OutboundMessage[]; readonly steps: readonly Step[] };

/**
 * Sends Redis what this session sends its readers here, as one more reader: nothing waits for it. While one write is
 * under way only the newest state of each thing waits for the next.
 */
export function createSessionPublisher(deps: SessionPublisherDeps) {
  const outbox = createOutbox({ encoding: 'append', maxBytes: mostWaitingBytes });
  const steps = createSessionSteps();
  let { mark } = deps;
  /** Of the entries that Redis keeps, the newest first. */
  let changeLengths: readonly number[] = [];
  let epoch = '';
  let seq = 0;
  let history: SessionHistory | null = null;
  let needsBase = true;
  let olderThan: string | null = null;
  let batch: Batch | null = null;
  let unfollow: (() => void) | null = null;
  let isRunning = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | null = null;

  const follow = (): void => {
    unfollow?.();
    unfollow = deps.bus.follow(deps.sessionId, undefined, {
      caughtUp(start) {
        ({ epoch, seq } = start);
        history = start.verdict === 'ok' ? null : start.history;
        outbox.reset(start.seq);
        batch = null;
      },
      changed(changes) {
        for (const change of changes) outbox.push(change);
        wake();
      },
      renewed() {
        needsBase = true;
        // The agent's record brought something in: what is in Redis is not all any more.
        mark = '';
        wake();
      },
    });
  };

  const flat = (list: readonly Step[]): string[] => list.flat();
  const head = (turns: SessionHistory['turns']): string | null => turns[0]?.turnId ?? null;

  const writeBase = async (): Promise<PublishVerdict> => {
    needsBase = false;
    follow();
    const current = history;
    // The session was closed meanwhile.
    if (!current) return 'OK';
    const adopted =
      mark === '' ? 'RESET' : await deps.run(adoptScript, [epoch, seq, mark, ...flat(steps.values(current))]);
    mark = '';
    olderThan = null;
    if (adopted !== 'RESET') return adopted;
    changeLengths = [];
    const args = [epoch, seq, '', current.hasMore ? '0' : '1', ...flat(steps.base(current))];
    const verdict = await deps.run(baseScript, args);
    if (verdict === 'OK' && current.hasMore) olderThan = head(current.turns);
    return verdict;
  };
  const writeOlder = async (before: string): Promise<PublishVerdict> => {
    const page = await deps.older(before);
    const verdict = await deps.run(fillScript, [
      epoch,
      page.nextBefore === null ? '1' : '0',
      ...flat(steps.older(page)),
    ]);
    if (verdict === 'OK') olderThan = page.nextBefore;
    return verdict;
  };
  const nextBatch = (): Batch | null => {
    const messages = outbox.take(burstBytes);
    if (messages.length === 0) return null;
    const at = deps.now();
    return { prev: seq, messages, steps: messages.flatMap((message) => steps.change(message, deps.newest, at)) };
  };
  const writeBatch = async ({ prev, messages, steps: list }: Batch): Promise<PublishVerdict> => {
    const last = messages.at(-1)?.seq ?? prev;
    const keys = messages.map((message) => [keyOfMessage(message), message.seq]);
    const data = messages.map(({ type, seq: number, payload }) => ({ type, seq: number, payload }));
    const text = JSON.stringify(data);
    const lengths = [text.length, ...changeLengths];
    const keep = Math.max(fewestChanges, fitting(lengths, changesBytes));
    const args = [epoch, prev, last, keep, JSON.stringify(keys), text, ...flat(list)];
    const verdict = await deps.run(publishScript, args);
    if (verdict === 'OK') [seq, batch, changeLengths] = [last, null, lengths.slice(0, mostChanges)];
    return verdict;
  };

  /** The next thing to be written; null when there is nothing. */
  const step = (): Promise<PublishVerdict> | null => {
    if (needsBase || outbox.overflowed) return writeBase();
    batch ??= nextBatch();
    if (batch) return writeBatch(batch);
    return olderThan === null ? null : writeOlder(olderThan);
  };

  const run = async (): Promise<void> => {
    while (!isStopped && deps.mayWrite()) {
      const verdict = await step();
      if (verdict === null) return;
      // What was refused before it was a batch is to be written still.
      if (verdict !== 'OK') needsBase ||= verdict === 'RESET' || batch === null;
      if (verdict === 'LAPSED') return deps.onLapsed();
      // Waited for: what is written under the old number meanwhile would only be refused, and claimed again.
      if (verdict === 'FENCED' && !(await deps.onFenced())) return;
    }
  };
  const wake = (): void => {
    if (isRunning || isStopped || timer) return;
    isRunning = true;
    // Not in the publisher's own call: what it sends its readers here goes first.
    setImmediate(() => {
      run()
        .catch((error: unknown) => {
          // A batch is sent again as it was; what else was under way starts over.
          needsBase ||= batch === null;
          deps.onError(error);
          timer = setTimeout(() => {
            timer = null;
            wake();
          }, retryMs);
          timer.unref();
        })
        .finally(() => {
          isRunning = false;
          if (deps.mayWrite() && (needsBase || outbox.ready)) wake();
        });
    });
  };
  wake();

  return {
    /** Writing has become possible again, and this is what Redis says of the session now. */
    resume(headEpoch: string | null, headSeq: string | null): void {
      const known = [seq, batch?.messages.at(-1)?.seq].map(String);
      if (headEpoch !== epoch || !known.includes(String(headSeq))) needsBase = true;
      wake();
    },
    wake,
    isIdle: () => !isRunning && !needsBase && batch === null && !outbox.ready && olderThan === null,
    stop(): void {
      isStopped = true;
      if (timer) clearTimeout(timer);
      unfollow?.();
    },
  };
}

/** How many of these lengths fit together. */
function fitting(lengths: readonly number[], most: number): number {
  let [sum, count] = [0, 0];
  for (const length of lengths.slice(0, mostChanges)) {
    sum += length;
    if (sum > most) break;
    count += 1;
  }
  return count;
}

const keyOfMessage = (message: OutboundMessage): string =>
  message.type === 'session:append' ? itemKey(message.payload.itemId) : keyOf(message);
