import { setTimeout as wait } from 'node:timers/promises';
import type { BenchHost, BenchStore } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { messageOf } from './open-turns.ts';

const betweenMs = 10;
const content = 'What an agent said in a paragraph of usual length, kept as one row of the table of items. '.repeat(6);

export type Tidied = { readonly outputs: number; readonly ms: readonly number[] };

/** Writes an item to a store every few milliseconds, and reports how long each took to become durable. */
export async function run(host: BenchHost): Promise<void> {
  let store: BenchStore | null = null;
  let made = 0;
  let isEnough = false;

  const writeOne = async (into: BenchStore): Promise<number> => {
    made += 1;
    const turn = { sessionId: 'session-of-writes', turnId: `t${Math.floor(made / 20)}` };
    const itemId = `${turn.turnId}:1:${made}`;
    const body = messageOf(turn, itemId, content, 'complete');
    const began = performance.now();
    await into.write([{ type: 'put-item', row: { ...turn, itemId, order: made, sourceId: null, change: null, body } }]);
    return performance.now() - began;
  };
  const writeUntil = async (into: BenchStore, isOver: () => boolean): Promise<number[]> => {
    const took: number[] = [];
    while (!isOver()) {
      took.push(await writeOne(into));
      await wait(betweenMs);
    }
    return took;
  };
  const opened = (): BenchStore => {
    if (store === null) throw new Error('No store is open.');
    return store;
  };

  await answerQuestions({
    open: (path: string) => void (store = host.openStore(path)),
    /** Until `enough` is called. */
    write(): Promise<number[]> {
      isEnough = false;
      return writeUntil(opened(), () => isEnough);
    },
    enough: () => void (isEnough = true),
    /** Until everything older has been removed and its space freed. */
    async writeBesideTidy(before: string): Promise<Tidied> {
      let removed: number | null = null;
      const tidying = opened()
        .tidy({ outputsBefore: before, decisionsBefore: before })
        .then(({ outputs }) => (removed = outputs));
      const ms = await writeUntil(opened(), () => removed !== null);
      return { outputs: await tidying, ms };
    },
  });
  await opened().close();
}
