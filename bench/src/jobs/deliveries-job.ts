import { setTimeout as wait } from 'node:timers/promises';
import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import type { FrameCounts } from '../readers/frame-counter-process.ts';
import { openBareSockets } from './bare-sockets.ts';
import { messageOf, type OpenTurn, openTurns } from './open-turns.ts';
import type { Side } from './stamp.ts';

export type Flood = { readonly side: Side; readonly items: number };
export type Flooded = { readonly perSecond: number; readonly cpuMicroseconds: number };

/** Items in flight: enough to keep every socket busy, but few enough that no reader exceeds its limit. */
const itemsUnderWay = 400;
const content =
  'The accumulator gathers what the agent says and tells it in pieces: first words soon, long answers in larger ones. ';

export async function run(host: BenchHost): Promise<void> {
  let counts: FrameCounts = { ours: 0, bare: 0 };
  let wake = () => {};
  const sockets = await openBareSockets((path, text) => {
    if (path !== '/control') return;
    counts = JSON.parse(text) as FrameCounts;
    wake();
  });
  const newCount = () =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The readers get nothing more.')), 30_000);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  let turn: OpenTurn | null = null;
  let made = 0;

  /** Each item is new, so nothing is coalesced and both sides send the same number of frames. */
  const sayOurs = (open: OpenTurn) => {
    const upsert = messageOf(open, `${open.turnId}:1:${made}`, content, 'create');
    host.provider.upsert(open.sessionId, upsert);
  };
  const sayBare = (open: OpenTurn) => {
    const payload = JSON.stringify({ ...messageOf(open, `${open.turnId}:1:${made}`, content, 'create'), order: made });
    const head = `{"type":"session:upsert","sessionId":"${open.sessionId}","epoch":"AbCdEfGh","seq":${made},"payload":`;
    for (const socket of sockets.at('/bare')) socket.send(`${head}${payload}}`);
  };

  await answerQuestions({
    async open() {
      [turn = null] = await openTurns(host, 1);
      return { port: host.port, barePort: sockets.port, token: host.token, sessionId: turn?.sessionId };
    },
    async flood({ side, items }: Flood): Promise<Flooded> {
      if (!turn) throw new Error('Nothing is open.');
      const subscribers = sockets.at('/bare').length;
      const before = counts[side];
      const arrived = () => (counts[side] - before) / subscribers;
      const say = side === 'ours' ? sayOurs : sayBare;
      const cpu = process.cpuUsage();
      const began = performance.now();
      for (let said = 0; said < items;) {
        const until = Math.min(items, Math.floor(arrived()) + itemsUnderWay);
        for (; said < until; said += 1) {
          made += 1;
          say(turn);
        }
        await newCount();
      }
      while (arrived() < items) await newCount();
      const seconds = (performance.now() - began) / 1000;
      const { user, system } = process.cpuUsage(cpu);
      // Pending writes belong to this round, not to the next one.
      await wait(700);
      return { perSecond: (items * subscribers) / seconds, cpuMicroseconds: (user + system) / (items * subscribers) };
    },
  });
}
