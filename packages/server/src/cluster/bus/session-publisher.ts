import type { HistoryPage, SessionHistory } from '@liminal/contracts';
import { type ChangeBody, itemKey, keyOf, type OutboundMessage } from '@liminal/domain/delivery/change';
import { createOutbox } from '@liminal/domain/delivery/outbox';
import type { RedisScript } from '../redis/run-script.ts';
import { adoptScript, baseScript, fillScript, publishScript } from '../redis/session-scripts.ts';
import { type Step, stepArguments } from '../redis/step-arguments.ts';
import type { SessionBus } from '../../bus/session-bus.ts';
import { createSessionSteps } from './session-steps.ts';

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
/** So many writes are under way at a time: Redis takes the next while the answer to the last is on its way. */
const mostUnderWay = 4;
const mostWaitingBytes = 4 * 1024 * 1024;
const retryMs = 500;

/** Changes that are written as one step; sent again, they are the same. */
type Batch = {
  readonly last: number;
  readonly args: readonly (string | number)[];
  reply: Promise<PublishVerdict> | null;
};

/**
 * Sends Redis what this session sends its readers here, as one more reader: nothing waits for it. While as many writes
 * are under way as may be, only the newest state of each thing waits for the next.
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
  /** Taken from the outbox and not known to be in Redis, in order. `seq` is what is known to be there. */
  let batches: Batch[] = [];
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
        batches = [];
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

  const head = (turns: SessionHistory['turns']): string | null => turns[0]?.turnId ?? null;

  const writeBase = async (): Promise<PublishVerdict> => {
    needsBase = false;
    follow();
    const current = history;
    // The session was closed meanwhile.
    if (!current) return 'OK';
    const adopted =
      mark === '' ? 'RESET' : await deps.run(adoptScript, [epoch, seq, mark, ...stepArguments(steps.values(current))]);
    mark = '';
    olderThan = null;
    if (adopted !== 'RESET') return adopted;
    changeLengths = [];
    const args = [epoch, seq, '', current.hasMore ? '0' : '1', ...stepArguments(steps.base(current))];
    const verdict = await deps.run(baseScript, args);
    if (verdict === 'OK' && current.hasMore) olderThan = head(current.turns);
    return verdict;
  };
  const writeOlder = async (before: string): Promise<PublishVerdict> => {
    const page = await deps.older(before);
    const verdict = await deps.run(fillScript, [
      epoch,
      page.nextBefore === null ? '1' : '0',
      ...stepArguments(steps.older(page)),
    ]);
    if (verdict === 'OK') olderThan = page.nextBefore;
    return verdict;
  };
  const takeBatch = (): Batch | null => {
    const messages = outbox.take(burstBytes);
    const last = messages.at(-1)?.seq;
    if (last === undefined) return null;
    const [at, prev] = [deps.now(), batches.at(-1)?.last ?? seq];
    const list: Step[] = [];
    const data: string[] = [];
    const keys: [string, number][] = [];
    for (const message of messages) {
      const json = JSON.stringify(message.payload);
      data.push(`{"type":"${message.type}","seq":${message.seq},"payload":${json}}`);
      keys.push([keyOfMessage(message), message.seq]);
      list.push(...steps.change(message, deps.newest, at, json));
    }
    const text = `[${data.join(',')}]`;
    changeLengths = [text.length, ...changeLengths.slice(0, mostChanges - 1)];
    const keep = Math.max(fewestChanges, fitting(changeLengths, changesBytes));
    return { last, args: [epoch, prev, last, keep, JSON.stringify(keys), text, ...stepArguments(list)], reply: null };
  };
  /** Sends what can be sent, and gives the answer to the oldest write under way; null when there is none. */
  const writeBatches = (): Promise<PublishVerdict> | null => {
    // One more only where it is a full one: smaller ones become larger while they wait.
    while (batches.length === 0 || (batches.length < mostUnderWay && outbox.bytes >= burstBytes)) {
      const batch = takeBatch();
      if (!batch) break;
      batches.push(batch);
    }
    for (const batch of batches) {
      batch.reply ??= deps.run(publishScript, batch.args);
      // Its failure is heard of when its turn comes, or not at all where one before it has failed.
      batch.reply.catch(() => {});
    }
    return batches[0]?.reply ?? null;
  };
  /** What was refused or lost is sent again, behind everything that is still under way. */
  const callBack = async (): Promise<void> => {
    await Promise.allSettled(batches.map(({ reply }) => reply ?? Promise.resolve()));
    for (const batch of batches) batch.reply = null;
  };

  /** The next thing to be written; null when there is nothing. */
  const step = async (): Promise<PublishVerdict | null> => {
    if (needsBase || outbox.overflowed) return writeBase();
    const underWay = writeBatches();
    if (!underWay) return olderThan === null ? null : writeOlder(olderThan);
    const [first] = batches;
    const verdict = await underWay;
    if (verdict === 'OK' && first && first === batches[0]) [seq, batches] = [first.last, batches.slice(1)];
    return verdict;
  };

  const run = async (): Promise<void> => {
    while (!isStopped && deps.mayWrite()) {
      const verdict = await step();
      if (verdict === null) return;
      if (verdict === 'OK') continue;
      await callBack();
      // What was refused before it was a batch is to be written still.
      needsBase ||= verdict === 'RESET' || batches.length === 0;
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
        .catch(async (error: unknown) => {
          await callBack();
          // Batches are sent again as they were; what else was under way starts over.
          needsBase ||= batches.length === 0;
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
      const known = [seq, ...batches.map(({ last }) => last)].indexOf(Number(headSeq));
      if (headEpoch !== epoch || known === -1) needsBase = true;
      // What had arrived before the connection broke is not sent again.
      else [seq, batches] = [Number(headSeq), batches.slice(known)];
      wake();
    },
    wake,
    isFollowing: (): boolean => unfollow !== null,
    isIdle: () => !isRunning && !needsBase && batches.length === 0 && !outbox.ready && olderThan === null,
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
