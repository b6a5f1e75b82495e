import type { UpsertObject } from '@liminal/contracts';
import type { BenchHost, ItemRow, TurnRow } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';
import { messageOf } from './open-turns.ts';
import { chunksOf, prose } from './prose.ts';

export type Filling = {
  readonly title: string;
  readonly items: number;
  /** The word of the documentation at which its last part starts; the same by default, for comparison. */
  readonly fromWord?: number;
};
export type Address = { readonly port: number; readonly token: string };

const at = '2026-01-01T00:00:00.000Z';
const answerWords = 24;
const turnsPerWrite = 1000;

/** Sessions with a history: a question and an answer per turn, written to the store for a restarted server to find. */
export async function run(host: BenchHost): Promise<void> {
  const words = chunksOf(prose(70_000).replaceAll(/[`#*_[\]<>|]/g, ''));
  /** Counted from the end: the first view is the same in sessions of any length. */
  const textOf = (turnsLeft: number, fromWord: number): string => {
    const from = (fromWord + turnsLeft * answerWords) % (words.length - answerWords);
    return words
      .slice(from, from + answerWords)
      .join('')
      .trim();
  };
  const fill = async ({ title, items, fromWord = 0 }: Filling): Promise<string> => {
    const sessionId = await host.newSession();
    await host.call('PATCH', `/api/session/${sessionId}`, { title });
    for (let from = 0; from < items / 2; from += turnsPerWrite) {
      const until = Math.min(from + turnsPerWrite, items / 2);
      const turns = Array.from({ length: until - from }, (_, index) => from + index);
      await host.store.write(
        turns.flatMap((turn) => {
          const question = `Question ${turn} of ${title}`;
          const row = { type: 'put-turn' as const, row: turnRow(sessionId, turn, question) };
          const answer = `Answer ${turn} of ${title}. ${textOf(items / 2 - turn, fromWord)}`;
          return [row, ...itemRows(sessionId, turn, question, answer)];
        }),
      );
    }
    return sessionId;
  };
  await answerQuestions({
    address: (): Address => ({ port: host.port, token: host.token }),
    bytesSent: () => host.bytesSent(),
    async fill(fillings: readonly Filling[]): Promise<string[]> {
      const ids: string[] = [];
      for (const filling of fillings) ids.push(await fill(filling));
      return ids;
    },
  });
}

function turnRow(sessionId: string, turn: number, content: string): TurnRow {
  const ids = { turnId: `t${turn}`, sessionId };
  return {
    ...ids,
    state: 'completed',
    position: turn,
    content,
    images: [],
    createdAt: at,
    clientMessageId: null,
    started: { type: 'turn_started', ...ids, modelId: 'bench', providerId: 'scripted' },
    startedAt: at,
    ended: { type: 'turn_complete', ...ids, status: 'completed' },
    endedAt: at,
  };
}

function itemRows(sessionId: string, turn: number, question: string, answer: string) {
  const turnId = `t${turn}`;
  const bodies: UpsertObject[] = [
    { ...messageOf({ sessionId, turnId }, `${turnId}:0:0`, question, 'complete'), origin: 'user' } as UpsertObject,
    messageOf({ sessionId, turnId }, `${turnId}:1:0`, answer, 'complete'),
  ];
  return bodies.map((body, index) => {
    const order = turn * 2 + index;
    const row: ItemRow = {
      sessionId,
      itemId: body.itemId,
      turnId,
      order,
      sourceId: null,
      change: null,
      body: { ...body, order },
    };
    return { type: 'put-item' as const, row };
  });
}
