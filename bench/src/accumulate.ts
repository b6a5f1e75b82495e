import { pathToFileURL } from 'node:url';
import type { StreamEvent } from '@liminal/contracts';
import { createAccumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { createStreamEventProcessor } from '@liminal/domain/accumulate/process-stream-event';

export type AccumulateRow = {
  readonly path: string;
  readonly deltas: number;
  /** Median over the rounds. */
  readonly nsPerDelta: number;
  /** Against the cheapest size of the same path; the aim is at most 1.5. */
  readonly ratio: number;
};

const sizes = [10_000, 100_000, 1_000_000] as const;
const aim = 1.5;
const blockDeltas = 1_000_000;
const warmUpRounds = 2;
const rounds = 9;
const options = { sessionId: 's1', providerId: 'bench', maxLatencyMs: 50 };
const place = { itemId: 't1:1:0', turnId: 't1' };
const words = ['The ', 'quick', ' brown fox', ' jumps', ' over', ' the', ' lazy dog', '.\n'];
const wordAt = (index: number) => words[index % words.length] ?? '';

/** What delivery does with an emission: encodes what was appended, never the whole text again. */
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

/** Feeds one long text, a delta every 2 ms, ticking as a driver would; returns what a reader received. */
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

/** Ns per delta of one block: as many texts of this length as make up the same number of deltas for every length. */
function measureBlock(feed: (deltas: number) => number, deltas: number): number {
  // Processor time, so that what else the machine does meanwhile does not look like growth; of all threads, so that
  // collecting garbage beside the main one counts too.
  const before = process.cpuUsage();
  for (let fed = 0; fed < blockDeltas; fed += deltas) {
    if (feed(deltas) === 0) throw new Error('The consumer received nothing');
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / blockDeltas;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/**
 * Time per delta must not grow with the length of the text (issue 2, pure core; decisions 7 and 9). The lengths are
 * measured in turns, so that a slow moment of the machine meets all of them alike.
 */
export function benchAccumulate(): readonly AccumulateRow[] {
  return Object.entries(paths).flatMap(([path, feed]) => {
    const samples = new Map<number, number[]>(sizes.map((deltas) => [deltas, []]));
    for (let round = 0; round < warmUpRounds + rounds; round += 1) {
      for (const [deltas, found] of samples) {
        const nsPerDelta = measureBlock(feed, deltas);
        if (round >= warmUpRounds) found.push(nsPerDelta);
      }
    }
    const measured = [...samples].map(([deltas, found]) => ({ path, deltas, nsPerDelta: median(found) }));
    const cheapest = Math.min(...measured.map((row) => row.nsPerDelta));
    return measured.map((row) => ({ ...row, ratio: row.nsPerDelta / cheapest }));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rows = benchAccumulate();
  console.table(rows.map((row) => ({ ...row, nsPerDelta: row.nsPerDelta.toFixed(0), ratio: row.ratio.toFixed(2) })));
  const worst = Math.max(...rows.map((row) => row.ratio));
  console.log(`worst ratio ${worst.toFixed(2)}, aim at most ${aim}`);
  if (worst > aim) process.exitCode = 1;
}
