import { ok, type HistoryPage, type HistoryQuery } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { countInRound } from '../../testing/count-in-round.ts';
import { exportSession } from './export-session.ts';

it('exports a long session page by page, with other work in between', async () => {
  const pages = 20;
  const counted = countInRound();
  const sessions = {
    async history(_sessionId: string, { before = '0' }: HistoryQuery) {
      counted.call();
      const page = Number(before) + 1;
      const turns = [{ turnId: `t${pages - page}`, state: 'completed' as const }];
      return ok<HistoryPage>({ turns, entries: [], nextBefore: page < pages ? String(page) : null });
    },
    status: async () => ok({ cliType: 'demo' }),
    capabilities: async () => ok({ info: {} }),
  };
  const exchange = { reply: { headers: () => {} } };
  const made = await exportSession(sessions as never, exchange as never, 's', 'json');
  if (!made.ok) throw new Error(made.failure.message);
  const text = (await made.value.toArray()).join('');
  const { turns } = JSON.parse(text) as { turns: { turn: { turnId: string } }[] };
  expect(turns.map(({ turn }) => turn.turnId)).toEqual(Array.from({ length: pages }, (_, index) => `t${index}`));
  expect(counted.stop()).toBeLessThanOrEqual(2);
});
