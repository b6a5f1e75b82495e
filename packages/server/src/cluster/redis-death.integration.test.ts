import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectReader, type FoldingReader } from '../reliability/testing/folding-reader.ts';
import { createRandom } from '../reliability/testing/random.ts';
import { shown } from '../reliability/testing/shown.ts';
import { patience, scaled, seed, testTimeout } from '../reliability/testing/torture.ts';
import { type ProgramCluster, type ProgramNode, startProgramCluster } from './testing/program-cluster.ts';

let cluster: ProgramCluster;
const readers: FoldingReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await cluster.close();
});

const restarts = scaled(5, 50);
type Trio = [ProgramNode, ProgramNode, ProgramNode];

describe(`a Redis that is killed and comes back empty (seed ${seed})`, () => {
  it(
    'loses nothing that was acknowledged, does nothing twice, and keeps the order, however often',
    async () => {
      const random = createRandom(seed);
      cluster = await startProgramCluster(3);
      const [owner, other, third] = cluster.nodes as Trio;
      const { api } = owner.running();
      const sessionId = await api.newSession('recording', owner.recorded.folder);
      const near = await connectReader(owner.running().ready);
      const far = await connectReader(other.running().ready);
      readers.push(near, far);
      near.subscribe(sessionId, 'append');
      await vi.waitFor(async () => expect((await other.running().api.status(sessionId)).state).toBe('open'), patience);
      far.subscribe(sessionId, 'append');
      await far.until(sessionId, (timeline) => timeline.cursor !== undefined);

      let isOver = false;
      const acknowledged: { content: string; turnId: string; from: string }[] = [];
      const tries = { sent: 0, refused: 0 };
      /** One message after the other; a refused one is sent again under the same id until it is taken. */
      const keepSending = async (node: ProgramNode): Promise<void> => {
        while (!isOver) {
          const content = `${randomUUID()} say ${5 + random.below(30)}`;
          const clientMessageId = randomUUID();
          let reply = null;
          do {
            tries.sent += 1;
            reply = await node.running().api.send(sessionId, content, clientMessageId);
            if (reply.status === 202) break;
            tries.refused += 1;
            expect(reply.body.error.code).toBe('NODE_UNREACHABLE');
            await vi.waitFor(async () => expect((await node.view()).state).toBe('joined'), patience);
          } while (!isOver);
          if (reply.status === 202) acknowledged.push({ content, turnId: reply.body.turnId, from: node.name });
        }
      };
      const senders = [other, third].map(keepSending);
      for (let round = 0; round < restarts; round += 1) {
        const before = acknowledged.length;
        await cluster.redis.kill();
        // Work on the machine itself goes on, whatever Redis does.
        const local = { content: `${randomUUID()} say 5`, clientMessageId: randomUUID() };
        const sent = await api.send(sessionId, local.content, local.clientMessageId);
        expect(sent.status).toBe(202);
        acknowledged.push({ content: local.content, turnId: sent.body.turnId, from: owner.name });
        if (round === 0) {
          await vi.waitFor(async () => {
            const { state, reason } = await other.view();
            expect([state, reason]).toEqual(['apart', expect.stringContaining('cannot be reached')]);
          }, patience);
        }
        await cluster.redis.restart();
        await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 2), patience);
      }
      isOver = true;
      await Promise.all(senders);

      await vi.waitFor(async () => {
        expect(await api.queue(sessionId)).toEqual([]);
        expect(await api.status(sessionId)).toMatchObject({ activity: 'idle' });
      }, patience);
      const { turns, entries } = await api.history(sessionId);
      const places = new Map(turns.map(({ turnId }, place) => [turnId, place]));
      for (const { content, turnId } of acknowledged) {
        expect(entries.find(({ itemId }) => itemId === `${turnId}:0:0`)).toMatchObject({ content });
      }
      const arrivals = Map.groupBy(owner.recorded.prompts(), ({ text }) => text);
      expect([...arrivals.values()].filter((list) => list.length > 1)).toEqual([]);
      for (const name of [other.name, third.name]) {
        const order = acknowledged.filter(({ from }) => from === name).map(({ turnId }) => places.get(turnId) ?? -1);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }
      await near.until(sessionId, ({ queue, status }) => queue.length === 0 && status?.activity === 'idle');
      const truth = near.timeline(sessionId);
      await vi.waitFor(() => expect(far.timeline(sessionId).cursor).toEqual(truth.cursor), patience);
      expect(far.timeline(sessionId).queue).toEqual([]);
      const [seenThere, seenHere] = [shown(far.timeline(sessionId)), shown(truth)] as { items: object[] }[];
      // After a new history a reader holds its newest page.
      expect(seenHere?.items.slice(-(seenThere?.items.length ?? 0))).toEqual(seenThere?.items);
      expect([...near.faults, ...far.faults]).toEqual([]);
      console.info(
        `${restarts} restarts, ${acknowledged.length} acknowledged messages, ${tries.refused} of ${tries.sent} tries refused, histories ${far.counts.histories}`,
      );
    },
    testTimeout,
  );
});
