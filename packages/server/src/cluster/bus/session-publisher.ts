import type { HistoryPage, SessionHistory } from '@liminal/contracts';
import { type ChangeBody, itemKey, keyOf, type OutboundMessage } from '@liminal/domain/delivery/change';
import { createOutbox } from '@liminal/domain/delivery/outbox';
import type { RedisScript } from '../redis/run-script.ts';
import { adoptScript, baseScript, fillScript, publishScript } from '../redis/session-scripts.ts';
import { type Step, stepArguments } from '../redis/step-arguments.ts';
import type { SessionBus } from '../../bus/session-bus.ts';
import { createSessionSteps } from './session-steps.ts';

export type PublishVerdict = 'OK' | 'RESET' | 'FENCED' | 'LAPSED';
/** Runs a script on this session's keys, as its owner. */
export type RunAsOwner = (script: RedisScript, args: readonly (string | number)[]) => Promise<PublishVerdict>;

export type SessionPublisherDeps = {
  readonly sessionId: string;
  readonly bus: Pick<SessionBus, 'follow'>;
  /** Whether Redis is connected and this node owns the session. */
  readonly mayWrite: () => boolean;
  readonly run: RunAsOwner;
  /** The newest state under a key, from memory or disk. */
  readonly newest: (key: string) => ChangeBody | undefined;
  /** The turns before the given one, as the session has them now. */
  readonly older: (before: string) => Promise<HistoryPage>;
  /** The mark under which this session was last published from disk, or ''. */
  readonly mark: string;
  readonly now: () => string;
  /** Claims the session under a new fencing number. False if it is no longer ours. */
  readonly onFenced: () => Promise<boolean>;
  readonly onLapsed: () => void;
  readonly onError: (error: unknown) => void;
};

export type SessionPublisher = ReturnType<typeof createSessionPublisher>;

/** Limits of the stored changes, in bytes and entries. A reader that falls further behind gets a history. */
const [changesBytes, fewestChanges, mostChanges] = [1024 * 1024, 8, 1_000];
const burstBytes = 32 * 1024;
/** Pipelined writes: Redis processes the next ones before we have its answer to the first. */
const mostUnderWay = 4;
const mostWaitingBytes = 4 * 1024 * 1024;
const retryMs = 500;

/** Changes that are written in one step. A retry sends exactly the same. */
type Batch = {
  readonly last: number;
  readonly args: readonly (string | number)[];
  reply: Promise<PublishVerdict> | null;
};

/**
 * Publishes a session to Redis, as one more reader: nothing waits for it. While the maximum number of writes is under
 * way, only the newest state of each thing is queued.
 */
export function createSessionPublisher(deps: SessionPublisherDeps) {
  const outbox = createOutbox({ encoding: 'append', maxBytes: mostWaitingBytes });
  const steps = createSessionSteps();
  let { mark } = deps;
  /** The sizes of the entries that Redis keeps, newest first. */
  let changeLengths: readonly number[] = [];
  let epoch = '';
  let seq = 0;
  let history: SessionHistory | null = null;
  let needsBase = true;
  let olderThan: string | null = null;
  /** Taken from the outbox but not confirmed by Redis, in order. `seq` is the last confirmed number. */
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
        // The agent's record added something, so the published session is incomplete.
        mark = '';
        wake();
      },
    });
  };

  const head = (turns: SessionHistory['turns']): string | null => turns[0]?.turnId ?? null;

  const writeBase = async (): Promise<PublishVerdict> => {
    needsBase = false;
    const known = mark;
    // Only the first attempt may use it: before a second one, the session may have gone on.
    mark = '';
    follow();
    const current = history;
    // The session was closed meanwhile.
    if (!current) return 'OK';
    const adopted =
      known === ''
        ? 'RESET'
        : await deps.run(adoptScript, [epoch, seq, known, ...stepArguments(steps.values(current))]);
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
  /** Sends as many batches as allowed and returns the reply to the oldest one, or null if there is none. */
  const writeBatches = (): Promise<PublishVerdict> | null => {
    // Pipeline only full batches: smaller ones grow while they wait.
    while (batches.length === 0 || (batches.length < mostUnderWay && outbox.bytes >= burstBytes)) {
      const batch = takeBatch();
      if (!batch) break;
      batches.push(batch);
    }
    for (const batch of batches) {
      batch.reply ??= deps.run(publishScript, batch.args);
      // The error is handled when this reply is awaited, or not at all if an earlier batch failed.
      batch.reply.catch(() => {});
    }
    return batches[0]?.reply ?? null;
  };
  /** Waits for all pending replies, then marks the batches to be sent again. */
  const callBack = async (): Promise<void> => {
    await Promise.allSettled(batches.map(({ reply }) => reply ?? Promise.resolve()));
    for (const batch of batches) batch.reply = null;
  };

  /** Writes the next thing. Null if there is nothing to write. */
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
    // Turns that run before Redis can be written aren't part of what it has.
    if (!deps.mayWrite()) mark = '';
    while (!isStopped && deps.mayWrite()) {
      const verdict = await step();
      if (verdict === null) return;
      if (verdict === 'OK') continue;
      await callBack();
      // A refusal without a batch means the base was refused, so write it again.
      needsBase ||= verdict === 'RESET' || batches.length === 0;
      if (verdict === 'LAPSED') return deps.onLapsed();
      // Wait for the claim: anything written under the old number would be refused and cause another claim.
      if (verdict === 'FENCED' && !(await deps.onFenced())) return;
    }
  };
  const wake = (): void => {
    if (isRunning || isStopped || timer) return;
    isRunning = true;
    // Deferred, so the readers on this machine get the change first.
    setImmediate(() => {
      run()
        .catch(async (error: unknown) => {
          await callBack();
          // Batches are sent again unchanged. Anything else starts over.
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
    /** Writing is possible again. The arguments are the session's position in Redis now. */
    resume(headEpoch: string | null, headSeq: string | null): void {
      const known = [seq, ...batches.map(({ last }) => last)].indexOf(Number(headSeq));
      if (headEpoch !== epoch || known === -1) needsBase = true;
      // Skip what had arrived before the connection broke.
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

/** How many of these lengths fit into `most`. */
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
