import type { Bench, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { AnswerPlan, SentAnswer } from '../jobs/bytes-job.ts';
import type { Received, ReaderSpec } from '../readers/reader-process.ts';
import { startReaders } from '../readers/start-readers.ts';

const job = new URL('../jobs/bytes-job.ts', import.meta.url);
const words = 20_000;
const kinds = [
  { encoding: 'append', deflate: true },
  { encoding: 'append', deflate: false },
  { encoding: 'full', deflate: true },
  { encoding: 'full', deflate: false },
] as const;
const nameOf = ({ encoding, deflate }: (typeof kinds)[number]) =>
  `${encoding}, ${deflate ? 'deflate' : 'uncompressed'}`;

type Answered = { readonly sent: SentAnswer; readonly received: readonly Received[] };

/** One answer, read by all four kinds of readers at once. */
async function measure(plan: AnswerPlan): Promise<Answered> {
  const host = await startHost(job);
  try {
    const { port, token, sessionId } = await host.ask<{ port: number; token: string; sessionId: string }>('open');
    const url = `ws://127.0.0.1:${port}/ws`;
    const readers = await startReaders(
      kinds.map((kind): ReaderSpec => ({ ...kind, url, token, sessionIds: [sessionId], keeps: 'text' })),
    );
    try {
      await readers.ask('begin');
      const ended = readers.ask<Received[]>('untilEnded');
      const sent = await host.ask<SentAnswer>('answer', plan);
      const received = await ended;
      if (received.some(({ text }) => text !== sent.text)) throw new Error('A reader did not get the whole answer.');
      return { sent, received };
    } finally {
      await readers.stop();
    }
  } finally {
    await host.stop();
  }
}

function rowsOf(speed: string, { sent, received }: Answered, budgetOf: (name: string) => Row['budget']): Row[] {
  return kinds.map((kind, index): Row => {
    const bytes = received[index]?.bytes ?? Number.NaN;
    const budget = budgetOf(nameOf(kind));
    return {
      measure: `${nameOf(kind)}, ${speed} (${received[index]?.frames ?? 0} frames)`,
      value: bytes / 1000,
      unit: 'kB',
      baseline: sent.textBytes / 1000,
      ratio: bytes / sent.textBytes,
      ...(budget === undefined ? {} : { budget }),
    };
  });
}

export const bytes: Bench = {
  name: 'bytes',
  title: 'Bytes on the wire for a 20,000-word answer',
  measures:
    'An answer of 20,000 words (prose and code from Fastify’s documentation) goes through accumulator, session and delivery to four sockets, one delta per word. The figure is `bytesRead` of each TCP socket, the baseline the bytes of the text. The benchmark checks that every reader has the full text at the end.',
  async run(mode) {
    const timesFaster = mode === 'quick' ? 20 : 1;
    const paced = await measure({ words, wordsPerSecond: 200, timesFaster });
    const unpaced = await measure({ words, wordsPerSecond: null, timesFaster: 1 });
    const rows = [
      ...rowsOf('200 words a second', paced, (name) =>
        name === 'append, deflate' ? 'append and deflate per text' : undefined,
      ),
      ...rowsOf('at full speed', unpaced, (name) =>
        name === 'append, uncompressed' ? 'append uncompressed per text' : undefined,
      ),
    ];
    const perByte = ({ received, sent }: Answered) => received.map((one) => one.bytes / sent.textBytes);
    const [slow, fast] = [perByte(paced), perByte(unpaced)];
    const plot = {
      name: 'bytes',
      title: 'Bytes on the wire per byte of text',
      unit: '×',
      series: ['200 words a second', 'at full speed'],
      groups: kinds.map((kind, index) => ({
        label: nameOf(kind),
        values: [slow[index] ?? Number.NaN, fast[index] ?? Number.NaN],
      })),
    };
    const remarks =
      mode === 'quick'
        ? [
            `The paced answer took ${paced.sent.seconds.toFixed(1)} s instead of 100 s, because the clock ran ${timesFaster} times faster. Every delta has its own time on that clock, so frames hold the same deltas as in a full run.`,
          ]
        : [];
    return { rows, plots: [plot], remarks };
  },
};
