import { setTimeout as wait } from 'node:timers/promises';
import { createAccumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { type OpenTurn, openTurns } from './open-turns.ts';
import { chunksOf, prose } from './prose.ts';

export type AnswerPlan = {
  readonly words: number;
  /** Null: as fast as the agent can. */
  readonly wordsPerSecond: number | null;
  /** The clock runs this many times faster; batches stay the same. */
  readonly timesFaster: number;
};
export type SentAnswer = {
  readonly textBytes: number;
  readonly text: string;
  readonly emissions: number;
  readonly seconds: number;
};

const nextRound = () => new Promise<void>((resolve) => void setImmediate(resolve));

export async function run(host: BenchHost): Promise<void> {
  let turn: OpenTurn | null = null;
  let sent = 0;
  await answerQuestions({
    async open() {
      [turn = null] = await openTurns(host, 1);
      return { port: host.port, token: host.token, sessionId: turn?.sessionId };
    },
    socketBytesSent: () => host.socketBytesSent(),
    async answer({ words, wordsPerSecond, timesFaster }: AnswerPlan): Promise<SentAnswer> {
      if (!turn) throw new Error('Nothing is open.');
      const { sessionId, turnId } = turn;
      const core = createAccumulator({ sessionId, providerId: 'bench', maxLatencyMs: 50, firstLatencyMs: 0 });
      const itemId = `${turnId}:1:${sent++}`;
      let emissions = 0;
      const emit = async (all: readonly Emission[]) => {
        for (const emission of all) {
          if (emission.kind !== 'upsert') continue;
          emissions += 1;
          host.provider.upsert(sessionId, emission.upsert, emission.appended);
          // The pump runs before the next one, as it does at normal speed.
          await nextRound();
          await nextRound();
        }
      };
      const text = prose(words);
      const began = performance.now();
      const elapsed = () => (performance.now() - began) * timesFaster;
      await emit(core.startText({ itemId, turnId, type: 'message' }, 0));
      let now = 0;
      for (const [index, word] of chunksOf(text).entries()) {
        const at = wordsPerSecond === null ? elapsed() : (index * 1000) / wordsPerSecond;
        for (let due = core.nextDue(); due !== null && due <= at; due = core.nextDue()) await emit(core.tick(due));
        while (wordsPerSecond !== null && elapsed() < at) await wait(1);
        now = Math.max(now, at);
        await emit(core.appendText(itemId, word, now));
        // Each word is a separate event, however fast they come.
        if (wordsPerSecond === null) await nextRound();
      }
      await emit(core.finishText(itemId, now));
      return { textBytes: Buffer.byteLength(text), text, emissions, seconds: (performance.now() - began) / 1000 };
    },
  });
}
