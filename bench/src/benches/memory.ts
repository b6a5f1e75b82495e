import { rmSync } from 'node:fs';
import type { Bench, Row } from '../bench.ts';
import { benchFolder, startHostIn } from '../host/start-host.ts';
import type { Memory } from '../jobs/memory-job.ts';
import type { Asked } from '../processes/start-process.ts';
import type { ReaderSpec } from '../readers/reader-process.ts';
import { startReaders } from '../readers/start-readers.ts';

const job = new URL('../jobs/memory-job.ts', import.meta.url);
/** Enough that the memory of each exceeds the noise of the heap. */
const sessions = 500;
const sockets = 200;
/** The first ones create what all of them share: compiled code, prepared statements, pools. */
const warmUp = 50;
/** How many of the listed sessions have a running agent. */
const awake = 50;

type Opened = { readonly port: number; readonly token: string; readonly sessionIds: readonly string[] };

const perOne = (measure: string, before: Memory, after: Memory, count: number): Row[] => [
  { measure: `${measure}: heap`, value: (after.heap - before.heap) / count / 1024, unit: 'KB' },
  { measure: `${measure}: resident`, value: (after.rss - before.rss) / count / 1024, unit: 'KB' },
];

async function subscribers(host: Asked, deflate: boolean): Promise<Row[]> {
  const { port, token, sessionIds } = await host.ask<Opened>('openSessions', { count: 0 });
  const url = `ws://127.0.0.1:${port}/ws`;
  const specs = sessionIds.slice(0, sockets).map((sessionId): ReaderSpec => {
    return { url, token, deflate, sessionIds: [sessionId], encoding: 'append', keeps: 'nothing' };
  });
  const before = await host.ask<Memory>('memory');
  const readers = await startReaders(specs);
  try {
    const opened = await host.ask<Memory>('memory');
    await host.ask('notifyAll');
    const after = await host.ask<Memory>('memory');
    const kind = deflate ? 'deflate' : 'uncompressed';
    return [
      ...perOne(`a subscriber with its own socket, ${kind}, just opened`, before, opened, sockets),
      ...perOne(`the same after its first frames, ${kind}`, before, after, sockets),
    ];
  } finally {
    await readers.stop();
  }
}

export const memory: Bench = {
  name: 'memory',
  isLong: true,
  title: 'Memory of the server per idle session and per subscriber',
  measures:
    '500 sessions with one message and one answer each, then 200 sockets with one subscription each, then a restarted server with all sessions in its list and none in memory. A figure is the growth after garbage collection, divided by their number. Only the heap figures show what one of them holds. Resident memory is what the process requested from the system. It includes temporary garbage and reuses memory freed earlier. The uncompressed sockets, opened first, fit into that, so their resident figure means nothing. With deflate, it shows what zlib uses outside the heap.',
  async run() {
    const folder = benchFolder();
    const start = (): Promise<Asked> => startHostIn(folder, job, ['--expose-gc']);
    try {
      const host = await start();
      const nothing = await host.ask<Memory>('memory');
      const rows: Row[] = [];
      let perAwake = 0;
      try {
        await host.ask('openSessions', { count: warmUp });
        const empty = await host.ask<Memory>('memory');
        await host.ask('openSessions', { count: sessions });
        const filled = await host.ask<Memory>('memory');
        perAwake = (filled.heap - empty.heap) / sessions / 1024;
        rows.push(...perOne('an idle session whose agent runs', empty, filled, sessions));
        rows.push(...(await subscribers(host, false)), ...(await subscribers(host, true)));
      } finally {
        await host.stop();
      }
      const anew = await start();
      const listed = await anew.ask<Memory>('memory');
      await anew.stop();
      const perListed = (listed.heap - nothing.heap) / (sessions + warmUp) / 1024;
      return {
        rows: [
          { measure: 'a session that is only in the list: heap', value: perListed, unit: 'KB' },
          {
            measure: `${sessions} in the list, ${awake} of them with an agent, each: heap`,
            value: perListed + (perAwake * awake) / sessions,
            unit: 'KB',
            budget: 'heap of a session',
          },
          ...rows,
        ],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
