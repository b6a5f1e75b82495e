import { setTimeout as wait } from 'node:timers/promises';
import { createAccumulator } from '@liminal/domain/accumulate/accumulator';
import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { openBareSockets } from './bare-sockets.ts';
import { messageOf, type OpenTurn, openTurns, sendAgain } from './open-turns.ts';

export type Opened = {
  readonly port: number;
  readonly token: string;
  readonly sessionId: string;
  readonly barePort: number;
};
export type Beating = { readonly beats: number; readonly everyMs: number };
export type Speaking = { readonly tokensPerSecond: number; readonly tokens: readonly string[] };

/** Milliseconds of a clock shared by browser and server. */
const clock = (): number => performance.timeOrigin + performance.now();

/** Sends text whose way into a page is measured: a growing text with marks in it, and the first words of turns. */
export async function run(host: BenchHost): Promise<void> {
  const bare = await openBareSockets();
  let turn: OpenTurn | null = null;
  let texts = 0;
  const current = (): OpenTurn => {
    if (!turn) throw new Error('Nothing is open.');
    return turn;
  };
  await answerQuestions({
    async open(): Promise<Opened> {
      [turn = null] = await openTurns(host, 1);
      return { port: host.port, token: host.token, sessionId: current().sessionId, barePort: bare.port };
    },
    /** Marks in two growing texts alternately: through us, and as the same bytes on a bare socket. */
    async beat({ beats, everyMs }: Beating): Promise<void> {
      const { sessionId, turnId } = current();
      const itemId = `${turnId}:1:${texts++}`;
      const sides = { ours: '', bare: '' };
      host.provider.upsert(sessionId, messageOf(current(), itemId, '', 'create'));
      const began = clock();
      for (let beat = 0; beat < beats; beat += 1) {
        while (clock() - began < beat * everyMs) await wait(1);
        const side = beat % 2 === 0 ? 'ours' : 'bare';
        const offset = sides[side].length;
        const piece = `${beat % 20 < 2 ? '\n\n' : ' '}about ten words of an answer as an agent says them m${beat}at${clock()}e`;
        sides[side] += piece;
        if (side === 'ours') {
          const item = messageOf(current(), itemId, sides.ours, 'update');
          host.provider.upsert(sessionId, item, { appendedFrom: offset, text: piece });
        } else {
          const frame = { type: 'session:append', sessionId, epoch: 'e', seq: beat, itemId, offset, text: piece };
          for (const socket of bare.at('/')) socket.send(JSON.stringify(frame));
        }
      }
      host.provider.upsert(sessionId, messageOf(current(), itemId, sides.ours, 'complete'));
      await wait(200);
    },
    /** A separate text, token by token as the accumulator emits it; returns when its first token arrived. */
    async speak({ tokensPerSecond, tokens }: Speaking): Promise<number> {
      const { sessionId, turnId } = current();
      const core = createAccumulator({ sessionId, providerId: 'bench', maxLatencyMs: 50, firstLatencyMs: 0 });
      const itemId = `${turnId}:1:${texts++}`;
      const began = clock();
      const now = () => clock() - began;
      const emit = (emissions: ReturnType<typeof core.tick>): void => {
        for (const emission of emissions)
          if (emission.kind === 'upsert') host.provider.upsert(sessionId, emission.upsert, emission.appended);
      };
      emit(core.startText({ itemId, turnId, type: 'message' }, now()));
      let first = Number.NaN;
      for (const [index, token] of tokens.entries()) {
        const at = (index * 1000) / tokensPerSecond;
        for (;;) {
          const due = core.nextDue();
          if (due !== null && due <= now()) emit(core.tick(now()));
          if (now() >= at) break;
          await wait(1);
        }
        if (index === 0) first = clock();
        emit(core.appendText(itemId, token, now()));
      }
      const last = now() + 100;
      while (now() < last) {
        const due = core.nextDue();
        if (due !== null && due <= now()) emit(core.tick(now()));
        await wait(1);
      }
      emit(core.finishText(itemId, now()));
      return first;
    },
    /** Ends the turn and starts the next one in the same session. */
    async nextTurn(): Promise<void> {
      turn = await sendAgain(host, current());
    },
  });
}
