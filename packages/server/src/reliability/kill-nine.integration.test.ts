import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openReader } from '../store/sqlite/open-database.ts';
import { connectReader, type FoldingReader } from './testing/folding-reader.ts';
import { printFigures } from './testing/figures.ts';
import { createRandom } from './testing/random.ts';
import { createRecordedProgram, type RecordedProgram, type Running } from './testing/recorded-program.ts';
import { patience, scaled, seed, testTimeout } from './testing/torture.ts';

let recorded: RecordedProgram;
const readers: FoldingReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await recorded.cleanup();
});

const perSession = 5;

type Sent = {
  readonly sessionId: string;
  readonly content: string;
  readonly clientMessageId: string;
  turnId: string | null;
};

/** Sends as fast as responses come, a few per session. `turnId` stays null if the program died before it responded. */
function sendToAll(
  { api }: Running,
  sessionIds: readonly string[],
  words: () => string,
): { sent: Sent[]; done: Promise<void> } {
  const sent: Sent[] = [];
  const sendTo = async (sessionId: string): Promise<void> => {
    for (let count = 0; count < perSession; count += 1) {
      const one: Sent = {
        sessionId,
        content: `${randomUUID()} ${words()}`,
        clientMessageId: randomUUID(),
        turnId: null,
      };
      sent.push(one);
      const reply = await api.send(sessionId, one.content, one.clientMessageId).catch(() => null);
      if (!reply) return;
      expect(reply.status).toBe(202);
      one.turnId = reply.body.turnId;
    }
  };
  return { sent, done: Promise.all(sessionIds.map(sendTo)).then(() => {}) };
}

/** Where a message is now: in the history under its turn, or in the queue. */
async function findMessages({ api }: Running, sessionId: string) {
  const [history, queue] = [await api.history(sessionId), await api.queue(sessionId)];
  const found = new Map<string, { content: string; place: string }>();
  for (const turn of history.turns) {
    const own = history.entries.find((entry) => entry.itemId === `${turn.turnId}:0:0`);
    found.set(turn.turnId, { content: own?.type === 'message' ? own.content : '', place: turn.state });
  }
  for (const { turnId, content, state } of queue) {
    if (found.has(turnId)) throw new Error(`${turnId} is both in the history and in the queue`);
    found.set(turnId, { content, place: state ?? 'waiting' });
  }
  return { found, history, queue };
}

describe(`kill -9 of the whole program (seed ${seed})`, () => {
  it(
    'loses no acknowledged message and sends none twice, however often it is killed mid-turn',
    async () => {
      const random = createRandom(seed);
      const rounds = scaled(3, 200);
      recorded = createRecordedProgram();
      const everySession: string[] = [];
      let sessionIds: string[] = [];
      const sent: Sent[] = [];
      const places = new Map<string, number>();
      for (let round = 0; round < rounds; round += 1) {
        const running = await recorded.start();
        // Add sessions now and then, or reading the histories would take most of the time.
        if (round % 20 === 0) {
          const create = () => running.api.newSession('recording', recorded.folder);
          sessionIds = [await create(), await create()];
          everySession.push(...sessionIds);
        }
        for (const sessionId of sessionIds) {
          const { found, history, queue } = await findMessages(running, sessionId);
          for (const { turnId, content } of sent.filter((one) => one.sessionId === sessionId)) {
            if (turnId !== null) expect(found.get(turnId)).toMatchObject({ content });
          }
          expect(history.turns.filter((turn) => turn.state === 'running')).toEqual([]);
          expect(queue.every(({ state }) => state === 'held' || state === 'unknown')).toBe(true);
        }
        // Sending the same client message id again returns the same turn and sends nothing.
        for (const one of sent.filter(({ turnId }) => turnId !== null).slice(-5)) {
          const again = await running.api.send(one.sessionId, 'not this text', one.clientMessageId);
          expect(again).toMatchObject({ status: 202, body: { turnId: one.turnId } });
        }
        const before = recorded.prompts().length;
        const { sent: latest, done } = sendToAll(running, sessionIds, () => `say ${5 + random.below(40)}`);
        const acknowledged = () => latest.filter(({ turnId }) => turnId !== null).length;
        const [acknowledgements, prompts] = [
          1 + random.below(sessionIds.length * perSession),
          before + random.below(6),
        ];
        await vi.waitFor(
          () => {
            expect(acknowledged()).toBeGreaterThanOrEqual(acknowledgements);
            expect(recorded.prompts().length).toBeGreaterThanOrEqual(prompts);
          },
          { ...patience, interval: 1 },
        );
        await running.kill();
        await done;
        sent.push(...latest);
      }

      const last = await recorded.start();
      for (const sessionId of everySession) await last.api.call('POST', `/api/session/${sessionId}/load`);
      for (const sessionId of everySession) {
        await vi.waitFor(async () => {
          expect((await last.api.queue(sessionId)).filter(({ state }) => state !== 'unknown')).toEqual([]);
          // More are open than agents may run at once, so some go back to sleep.
          expect(['idle', 'asleep']).toContain((await last.api.status(sessionId)).activity);
        }, patience);
      }
      const prompts = recorded.prompts();
      const arrivals = Map.groupBy(prompts, ({ text }) => text);
      const rank = new Map(sent.map(({ content }, index) => [content, index]));
      let [twice, outOfOrder, acknowledged] = [0, 0, 0];
      for (const sessionId of everySession) {
        const { found } = await findMessages(last, sessionId);
        const mine = sent.filter((one) => one.sessionId === sessionId);
        for (const { content, turnId } of mine) {
          const times = arrivals.get(content)?.length ?? 0;
          if (times > 1) twice += 1;
          if (turnId === null) continue;
          acknowledged += 1;
          const place = found.get(turnId)?.place ?? 'lost';
          places.set(place, (places.get(place) ?? 0) + 1);
          if (place === 'completed') expect(times).toBe(1);
        }
        const own = new Set(mine.map(({ content }) => content));
        const ranks = prompts.filter(({ text }) => own.has(text)).map(({ text }) => rank.get(text) ?? 0);
        outOfOrder += ranks.filter((place, index) => place < (ranks[index - 1] ?? -1)).length;
      }
      await last.kill();
      await vi.waitFor(async () => expect(await recorded.agents()).toEqual([]), patience);
      printFigures('kill -9', {
        kills: rounds + 1,
        acknowledged,
        lost: places.get('lost') ?? 0,
        'sent twice': twice,
        'out of order': outOfOrder,
        'stuck sessions': 0,
        orphans: (await recorded.agents()).length,
        prompts: prompts.length,
        outcomes: [...places].map(([place, count]) => `${place} ${count}`).join(' + '),
      });
      expect([twice, outOfOrder]).toEqual([0, 0]);
      expect(places.get('lost') ?? 0).toBe(0);
    },
    testTimeout,
  );

  it(
    'ends the running turn as PROCESS_CRASH, keeps its text, and holds the queue until the next message',
    async () => {
      recorded = createRecordedProgram();
      const first = await recorded.start();
      const sessionId = await first.api.newSession('recording', recorded.folder);
      const { turnId } = (await first.api.send(sessionId, 'say 100000')).body;
      const waiting = (await first.api.send(sessionId, 'wait your turn')).body.turnId;
      const database = openReader(join(recorded.dataDir, 'liminal.sqlite'));
      const written = () => {
        const row = database
          .prepare('SELECT body FROM items WHERE turn_id = ? AND item_id != ?')
          .get(turnId, `${turnId}:0:0`);
        return row ? (JSON.parse(String(row['body'])) as { content: string }).content : '';
      };
      await vi.waitFor(() => expect(written().length).toBeGreaterThan(200), patience);
      const kept = written();
      await first.kill();
      database.close();

      const second = await recorded.start();
      const history = await second.api.history(sessionId);
      expect(history.turns).toMatchObject([
        { turnId, state: 'failed', ended: { type: 'turn_error', errorCode: 'PROCESS_CRASH' } },
      ]);
      const [own, answer] = history.entries;
      expect(own).toMatchObject({ origin: 'user', content: 'say 100000' });
      expect(answer).toMatchObject({
        status: 'error',
        errorCode: 'PROCESS_CRASH',
        content: expect.stringContaining(kept),
      });
      expect(await second.api.status(sessionId)).toMatchObject({
        state: 'open',
        activity: 'asleep',
        lastError: { code: 'PROCESS_CRASH' },
      });

      // Reading a session doesn't open it.
      const reader = await connectReader(second.ready);
      readers.push(reader);
      reader.subscribe(sessionId, 'append');
      await reader.until(sessionId, (timeline) => timeline.queue.length === 1);
      expect(reader.timeline(sessionId).queue).toMatchObject([{ turnId: waiting, state: 'held' }]);
      const later = (await second.api.send(sessionId, 'and now me')).body.turnId;
      await vi.waitFor(async () => {
        const { turns } = await second.api.history(sessionId);
        expect(turns.map((turn) => [turn.turnId, turn.state])).toEqual([
          [turnId, 'failed'],
          [waiting, 'completed'],
          [later, 'completed'],
        ]);
      }, patience);
      expect(recorded.prompts().map(({ text }) => text)).toEqual(['say 100000', 'wait your turn', 'and now me']);
      expect(reader.faults).toEqual([]);
    },
    testTimeout,
  );
});
