import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchHost, BenchStore } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { messageOf } from './open-turns.ts';

const betweenMs = 10;
const content = 'What an agent said in a paragraph of usual length, kept as one row of the table of items. '.repeat(6);

/** How long each write took to become durable: through the store, and in a bare database beside it in turns. */
export type Waits = { readonly ours: number[]; readonly bare: number[] };
export type Tidied = Waits & { readonly outputs: number };

/** One row per commit, synced, without our code: how long the disk itself takes at that moment. */
function openBare(path: string): (itemId: string, body: object) => number {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE items (id TEXT, body TEXT)');
  const insert = database.prepare('INSERT INTO items (id, body) VALUES (?, ?)');
  return (itemId, body) => {
    const began = performance.now();
    insert.run(itemId, JSON.stringify(body));
    return performance.now() - began;
  };
}

/** Writes an item to a store every few milliseconds. */
export async function run(host: BenchHost): Promise<void> {
  let store: BenchStore | null = null;
  let writeBare: ReturnType<typeof openBare> = () => 0;
  let made = 0;
  let isEnough = false;

  const writeOne = async (into: BenchStore, waits: Waits): Promise<void> => {
    made += 1;
    const turn = { sessionId: 'session-of-writes', turnId: `t${Math.floor(made / 20)}` };
    const itemId = `${turn.turnId}:1:${made}`;
    const body = messageOf(turn, itemId, content, 'complete');
    const began = performance.now();
    await into.write([{ type: 'put-item', row: { ...turn, itemId, order: made, sourceId: null, change: null, body } }]);
    waits.ours.push(performance.now() - began);
    waits.bare.push(writeBare(itemId, body));
  };
  const writeUntil = async (into: BenchStore, isOver: () => boolean): Promise<Waits> => {
    const waits: Waits = { ours: [], bare: [] };
    while (!isOver()) {
      await writeOne(into, waits);
      await wait(betweenMs);
    }
    return waits;
  };
  const opened = (): BenchStore => {
    if (store === null) throw new Error('No store is open.');
    return store;
  };

  await answerQuestions({
    async open(path: string) {
      store = host.openStore(path);
      writeBare = openBare(`${path}.bare`);
      // The first write also waits for the writer thread to start.
      await writeOne(store, { ours: [], bare: [] });
    },
    /** Until `enough` is called. */
    write(): Promise<Waits> {
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
      const waits = await writeUntil(opened(), () => removed !== null);
      return { outputs: await tidying, ...waits };
    },
  });
  await opened().close();
}
