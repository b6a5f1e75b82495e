import type { SessionMessage, UpsertObject } from '@liminal/contracts';
import { fold as foldMessage } from '@liminal/domain/timeline/fold';
import { createRows } from '@liminal/domain/timeline/rows';
import { createTimeline } from '@liminal/domain/timeline/timeline';
import type { Bench } from '../bench.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const sizes = [100, 1_000, 10_000, 100_000] as const;
const appends = 20;
const rounds = 1_500;
const warmUp = 500;
const itemsPerTurn = 20;
const at = '2026-01-01T00:00:00.000Z';
const stamp = { sessionId: 's1', epoch: 'e1' };
const word = ' and one more word';

/** A session with this many items, of which the last is still growing. */
function historyOf(items: number): SessionMessage {
  const entries = Array.from({ length: items }, (_, order): UpsertObject => {
    // Ids as long as real ones, and equally long at every size.
    const turnId = `turn-${String(Math.floor(order / itemsPerTurn)).padStart(31, '0')}`;
    const status = order === items - 1 ? 'update' : 'complete';
    const itemId = `${turnId}:1:${order % itemsPerTurn}`;
    const base = { turnId, sessionId: 's1', itemId, sourceTimestamp: at, emittedAt: at, status, order } as const;
    return { type: 'message', ...base, content: 'A sentence that was said.', origin: 'agent' };
  });
  return {
    type: 'session:history',
    ...stamp,
    seq: 0,
    entries,
    turns: [],
    hasMore: false,
    permissions: [],
    queue: [],
    status: { state: 'open', activity: 'working', isAlive: true },
    info: {},
  };
}

/** A reader of such a session; each call folds 20 appends and returns the time in microseconds. */
function createReader(items: number): () => number {
  const timeline = createTimeline();
  const rows = createRows();
  rows.update(timeline, foldMessage(timeline, historyOf(items)));
  const itemId = [...timeline.items.keys()].at(-1) ?? '';
  let offset = 'A sentence that was said.'.length;
  let seq = 0;

  return () => {
    const messages = Array.from({ length: appends }, (_, index): SessionMessage => {
      const payload = { itemId, offset: offset + index * word.length, text: word };
      return { type: 'session:append', ...stamp, seq: (seq += 1), payload };
    });
    offset += appends * word.length;
    const begin = process.hrtime.bigint();
    for (const message of messages) rows.update(timeline, foldMessage(timeline, message));
    const time = Number(process.hrtime.bigint() - begin) / 1_000;
    if (timeline.cursor?.seq !== seq || timeline.holes.size > 0) throw new Error('The appends were not folded');
    return time;
  };
}

/** The sizes take turns, so other load on the machine affects all of them equally. */
function measure() {
  const readers = sizes.map((items) => ({ items, read: createReader(items), times: [] as number[] }));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const { read, times } of readers) {
      const time = read();
      if (round >= warmUp) times.push(time);
    }
  }
  return readers.map(({ items, times }) => ({ items, microseconds: median(times), noise: noiseOf(times) }));
}

export const fold: Bench = {
  name: 'fold',
  title: 'Time per update for any size of the timeline',
  measures: `${appends} appends into a timeline of 100 to 100,000 items, with its rows kept up to date. Median of ${rounds.toLocaleString('en')} rounds; the baseline is the cheapest size.`,
  run() {
    const measured = measure();
    const cheapest = Math.min(...measured.map(({ microseconds }) => microseconds));
    const rows = measured.map(({ items, microseconds, noise }) => ({
      measure: `${appends} appends into ${items.toLocaleString('en')} items`,
      value: microseconds,
      unit: 'µs',
      noise,
      baseline: cheapest,
      ratio: microseconds / cheapest,
      budget: 'fold costs what changed' as const,
    }));
    const groups = measured.map(({ items, microseconds }) => ({
      label: `${items.toLocaleString('en')} items`,
      values: [microseconds],
    }));
    return { rows, plots: [{ name: 'fold', title: `${appends} appends`, unit: 'µs', series: ['time'], groups }] };
  },
};
