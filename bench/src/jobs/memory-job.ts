import { setTimeout as wait } from 'node:timers/promises';
import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { messageOf, type OpenTurn, openTurns } from './open-turns.ts';

export type Memory = { readonly heap: number; readonly rss: number };

/** Memory in use after garbage collection, in bytes. */
async function settledMemory(): Promise<Memory> {
  for (let round = 0; round < 4; round += 1) {
    global.gc?.();
    await wait(150);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

export async function run(host: BenchHost): Promise<void> {
  const turns: OpenTurn[] = [];
  await answerQuestions({
    memory: settledMemory,
    /** Idle sessions that have had one message and one answer. */
    async openSessions({ count }: { count: number }) {
      const opened = await openTurns(host, count);
      for (const turn of opened) {
        host.provider.upsert(turn.sessionId, messageOf(turn, `${turn.turnId}:1:0`, 'Done.', 'complete'));
        host.provider.end(turn.sessionId);
      }
      turns.push(...opened);
      await wait(1000);
      return { port: host.port, token: host.token, sessionIds: turns.map(({ sessionId }) => sessionId) };
    },
    /** Sends something to every subscriber, so everything created with the first frame exists. */
    async notifyAll() {
      const content = 'A few words that are long enough to be worth compressing. '.repeat(4);
      for (const turn of turns) {
        host.provider.upsert(turn.sessionId, messageOf(turn, `${turn.turnId}:1:1`, content, 'complete'));
      }
      await wait(1500);
    },
  });
}
