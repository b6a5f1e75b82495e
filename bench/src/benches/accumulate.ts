import type { StreamEvent } from '@liminal/contracts';
import { createAccumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { createStreamEventProcessor } from '@liminal/domain/accumulate/process-stream-event';
import type { Bench, Mode } from '../bench.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

type Measured = {
  readonly path: string;
  readonly deltas: number;
  /** Median over the rounds. */
  readonly nsPerDelta: number;
  readonly noise: number;
  readonly cheapest: number;
  /** Relative to the cheapest size of the same path. */
  readonly ratio: number;
};

const sizes = [10_000, 100_000, 1_000_000] as const;
const blockDeltas = 1_000_000;
const warmUpRounds = 2;
const options = { sessionId: 's1', providerId: 'bench', maxLatencyMs: 50, firstLatencyMs: 0 };
const place = { itemId: 't1:1:0', turnId: 't1' };
const words = ['The ', 'quick', ' brown fox', ' jumps', ' over', ' the', ' lazy dog', '.\n'];
const wordAt = (index: number) => words[index % words.length] ?? '';

/** What delivery does with an emission: encodes only the appended text, never the whole text again. */
function createConsumer() {
  let bytes = 0;
  return {
    consume(emissions: readonly Emission[]) {
      for (const emission of emissions) {
        if (emission.kind === 'turn') continue;
        const { upsert, appended } = emission;
        const payload = appended
          ? { itemId: upsert.itemId, offset: appended.appendedFrom, text: appended.text, status: upsert.status }
          : upsert;
        bytes += JSON.stringify(payload).length;
      }
    },
    bytes: () => bytes,
  };
}

/** Feeds one long text, a delta every 2 ms, ticking like a driver; returns what a reader received. */
const paths: Record<string, (deltas: number) => number> = {
  'accumulator, text': (deltas) => {
    const core = createAccumulator(options);
    const { consume, bytes } = createConsumer();
    consume(core.startText({ ...place, type: 'message' }, 0));
    for (let index = 0; index < deltas; index += 1) {
      consume(core.appendText(place.itemId, wordAt(index), index * 2));
      if ((core.nextDue() ?? Number.POSITIVE_INFINITY) <= index * 2) consume(core.tick(index * 2));
    }
    consume(core.finishText(place.itemId, deltas * 2));
    return bytes();
  },
  'accumulator, tool output': (deltas) => {
    const core = createAccumulator(options);
    const { consume, bytes } = createConsumer();
    consume(core.startCall({ ...place, callId: 'c1', toolName: 'run' }, 0));
    for (let index = 0; index < deltas; index += 1) consume(core.appendOutput('c1', wordAt(index), index * 2));
    consume(core.finishCall('c1', {}, deltas * 2));
    return bytes();
  },
  'stream events, text': (deltas) => {
    const processor = createStreamEventProcessor(options);
    const { consume, bytes } = createConsumer();
    const event = (payload: StreamEvent['payload']): StreamEvent => ({
      eventId: 'e',
      timestamp: '2025-01-01T00:00:00.000Z',
      turnId: 't1',
      sessionId: 's1',
      type: payload.type,
      payload,
    });
    consume(processor.process(event({ type: 'item_start', itemId: place.itemId, itemType: 'message' }), 0));
    for (let index = 0; index < deltas; index += 1) {
      const delta = event({ type: 'item_delta', itemId: place.itemId, deltaContent: wordAt(index) });
      consume(processor.process(delta, index * 2));
    }
    consume(processor.process(event({ type: 'response_done', status: 'completed' }), deltas * 2));
    return bytes();
  },
};

/**
 * Nanoseconds per delta of one block: enough texts of this length to give the same number of deltas for every length.
 */
function measureBlock(feed: (deltas: number) => number, deltas: number): number {
  // Processor time, so other load on the machine doesn't look like growth. Of all threads, so garbage collection
  // outside the main thread counts too.
  const before = process.cpuUsage();
  for (let fed = 0; fed < blockDeltas; fed += deltas) {
    if (feed(deltas) === 0) throw new Error('The consumer received nothing');
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / blockDeltas;
}

/**
 * Time per delta must not grow with the length of the text (decisions 7 and 9). The lengths take turns, so a slow
 * moment of the machine affects all of them equally.
 */
function measure(mode: Mode): readonly Measured[] {
  const rounds = mode === 'quick' ? 2 : 9;
  return Object.entries(paths).flatMap(([path, feed]) => {
    const samples = new Map<number, number[]>(sizes.map((deltas) => [deltas, []]));
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      for (const [deltas, found] of samples) {
        const nsPerDelta = measureBlock(feed, deltas);
        if (round >= warmUpRounds) found.push(nsPerDelta);
      }
    }
    const measured = [...samples].map(([deltas, found]) => ({
      path,
      deltas,
      nsPerDelta: median(found),
      noise: noiseOf(found),
    }));
    const cheapest = Math.min(...measured.map((row) => row.nsPerDelta));
    return measured.map((row) => ({ ...row, cheapest, ratio: row.nsPerDelta / cheapest }));
  });
}

export const accumulate: Bench = {
  name: 'accumulate',
  title: 'Time per delta for any length of text',
  measures:
    'CPU time per delta of one long text or tool output, at 10,000, 100,000 and 1,000,000 deltas. A delta arrives every 2 ms of a simulated clock, goes through the accumulator and is encoded as for delivery. The baseline is the cheapest length of the same path.',
  run(mode) {
    const measured = measure(mode);
    const rows = measured.map(({ path, deltas, nsPerDelta, noise, cheapest, ratio }) => ({
      measure: `${path}, ${deltas.toLocaleString('en')} deltas`,
      value: nsPerDelta,
      unit: 'ns',
      noise,
      baseline: cheapest,
      ratio,
      budget: 'time per delta is flat' as const,
    }));
    const groups = Object.keys(paths).map((path) => ({
      label: path,
      values: measured.filter((row) => row.path === path).map(({ nsPerDelta }) => nsPerDelta),
    }));
    const series = sizes.map((deltas) => `${deltas.toLocaleString('en')} deltas`);
    return { rows, plots: [{ name: 'accumulate', title: 'Time per delta', unit: 'ns', series, groups }] };
  },
};
