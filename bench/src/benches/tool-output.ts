import { createAccumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { createOutputShortener } from '@liminal/domain/session/shorten-output';
import type { Bench, Mode } from '../bench.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
/** Starts at the first chunk that makes an output too long to send in full. */
const lengths = [64 * kilobyte, megabyte, 10 * megabyte, 50 * megabyte] as const;
const chunkLength = 8 * kilobyte;
/** Chunks in one measurement. */
const window = 96;
const warmUpRounds = 2;

const chunkOf = (index: number): string => `${index} `.padEnd(chunkLength - 1, 'a line of output, ').concat('\n');
const chunks = Array.from({ length: 16 }, (_, index) => chunkOf(index));

/** One call whose output grows; every other chunk comes with a new title, so the call is sent in full as well. */
function createCall() {
  const core = createAccumulator({ sessionId: 's1', providerId: 'bench', maxLatencyMs: 50, firstLatencyMs: 0 });
  const shortener = createOutputShortener();
  let [length, fed, sent] = [0, 0, 0];
  let isRead = false;
  const consume = (emissions: readonly Emission[]): void => {
    for (const emission of emissions) {
      if (emission.kind === 'turn' || emission.upsert.type !== 'tool_call') continue;
      const { upsert, appended, grown } = emission;
      const short = shortener.take(upsert.toolOutput ?? '', appended ?? grown);
      if (isRead) sent += JSON.stringify(short).length;
    }
  };
  consume(core.startCall({ itemId: 't1:1:0', turnId: 't1', callId: 'c1', toolName: 'run' }, 0));
  return {
    length: () => length,
    sent: () => sent,
    /** Whether a reader receives every state from now on, or none. */
    setRead(read: boolean) {
      isRead = read;
    },
    feed() {
      const chunk = chunks[fed % chunks.length] ?? '';
      fed += 1;
      length += chunk.length;
      if (fed % 2 === 0) consume(core.updateCall('c1', { title: `step ${fed}` }, fed));
      consume(core.appendOutput('c1', chunk, fed));
    },
  };
}

/** Microseconds of processor time per chunk, measured from each length on, as one output passes them. */
function measureOnce(): number[] {
  const call = createCall();
  return lengths.map((length) => {
    while (call.length() <= length) call.feed();
    call.setRead(true);
    const [before, sent] = [process.cpuUsage(), call.sent()];
    for (let index = 0; index < window; index += 1) call.feed();
    const { user, system } = process.cpuUsage(before);
    call.setRead(false);
    if (call.sent() === sent) throw new Error('The consumer received nothing');
    return (user + system) / window;
  });
}

function measure(mode: Mode): readonly { length: number; value: number; noise: number }[] {
  const rounds = Array.from({ length: warmUpRounds + (mode === 'quick' ? 5 : 15) }, measureOnce).slice(warmUpRounds);
  return lengths.map((length, index) => {
    const found = rounds.map((round) => round[index] ?? Number.NaN);
    return { length, value: median(found), noise: noiseOf(found) };
  });
}

const sizeOf = (length: number): string => (length < megabyte ? `${length / kilobyte} KB` : `${length / megabyte} MB`);

export const toolOutput: Bench = {
  name: 'tool-output',
  title: 'Time per chunk of tool output for any length',
  measures:
    'CPU time per 8 KB chunk of a growing tool output after 64 KB, 1 MB, 10 MB and 50 MB. Each output is shortened to its beginning and end and encoded as subscribers get it. The baseline is the time at 64 KB.',
  run(mode) {
    const measured = measure(mode);
    const baseline = measured[0]?.value ?? Number.NaN;
    return {
      rows: measured.map(({ length, value, noise }) => ({
        measure: `a chunk of 8 KB after ${sizeOf(length)}`,
        value,
        unit: 'µs',
        noise,
        baseline,
        ratio: value / baseline,
        budget: 'time per chunk of output is flat' as const,
      })),
    };
  },
};
