import { randomUUID } from 'node:crypto';
import type { Project } from '@liminal/contracts';
import { textOf } from '@liminal/domain/items/item-text';
import { itemsInOrder, type Timeline } from '@liminal/domain/timeline/timeline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectReader, type FoldingReader } from '../reliability/testing/folding-reader.ts';
import { createRandom } from '../reliability/testing/random.ts';
import { report } from '../reliability/testing/report.ts';
import { shown } from '../reliability/testing/shown.ts';
import { patience, scaled, seed, testTimeout } from '../reliability/testing/torture.ts';
import { type ProgramCluster, type ProgramNode, startProgramCluster } from './testing/program-cluster.ts';

/** All tests here share three programs, because starting them is the slowest part. */
let cluster: ProgramCluster;
const readers: FoldingReader[] = [];
beforeAll(async () => {
  cluster = await startProgramCluster(3);
}, testTimeout);
beforeEach(() => cluster.mend());
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});
afterAll(() => cluster.close());

const restarts = scaled(8, 50);
type Trio = [ProgramNode, ProgramNode, ProgramNode];
const agentText = (timeline: Timeline): string =>
  [...itemsInOrder(timeline)]
    .filter((item) => !item.itemId.endsWith(':0:0'))
    .map(textOf)
    .join('');

const promptsOf = ({ recorded }: ProgramNode, sessionId: string): string[] =>
  recorded
    .prompts()
    .filter((prompt) => prompt.sessionId === sessionId)
    .map(({ text }) => text);

/** A session on the first machine, known to the others, followed from the second. */
async function sessionOn(owner: ProgramNode, other: ProgramNode) {
  const sessionId = await owner.running().api.newSession('recording', owner.recorded.folder);
  const { projects } = (await owner.running().api.call<{ projects: Project[] }>('GET', '/api/projects')).body;
  const projectId = projects.find(({ dir }) => dir === owner.recorded.folder)?.projectId ?? '';
  await vi.waitFor(async () => expect(await other.summary(projectId, sessionId)).toBeDefined(), patience);
  const reader = await connectReader(other.running().ready);
  readers.push(reader);
  reader.subscribe(sessionId, 'append');
  await reader.until(sessionId, (timeline) => timeline.cursor !== undefined);
  return { sessionId, projectId, reader };
}

describe('a machine that dies', () => {
  it(
    'is seen as gone within its lease, stays readable everywhere, and continues its sessions when it returns',
    async () => {
      const [owner, other, third] = cluster.nodes as Trio;
      const { sessionId, projectId, reader } = await sessionOn(owner, other);
      const sent = await other.running().api.send(sessionId, 'say 100000');
      expect(sent.status).toBe(202);
      await reader.until(sessionId, (timeline) => agentText(timeline).length > 2_000);

      await owner.running().kill();
      const diedAt = performance.now();
      await cluster.sees(other, owner, 'gone');
      const seenAfter = Math.round(performance.now() - diedAt);
      report(
        'Machines',
        'a dead machine is reported as gone',
        `after ${seenAfter} ms with a lease of ${cluster.leaseMs} ms`,
      );
      await cluster.sees(third, owner, 'gone');
      const gone = { node: { name: owner.name, presence: 'gone' }, isAlive: false, activity: 'asleep' };
      expect(await other.summary(projectId, sessionId)).toMatchObject(gone);
      const seen = agentText(reader.timeline(sessionId));
      for (const node of [other, third]) {
        const history = await node.running().api.history(sessionId);
        expect(history.turns).toMatchObject([{ turnId: sent.body.turnId }]);
        const text = history.entries.map(textOf).join('');
        expect(text).toContain(seen);
      }
      const refused = await third.running().api.send(sessionId, 'are you there?');
      expect([refused.status, refused.body.error.code]).toEqual([503, 'NODE_UNREACHABLE']);
      expect(refused.body.error.message).toContain(owner.name);

      await owner.start();
      await Promise.all([cluster.sees(other, owner, 'there'), cluster.sees(third, owner, 'there')]);
      await reader.until(sessionId, (timeline) => timeline.turns.get(sent.body.turnId)?.record?.state === 'failed');
      const again = await third.running().api.send(sessionId, 'say 3');
      expect(again.status).toBe(202);
      await reader.until(sessionId, (timeline) => timeline.turns.get(again.body.turnId)?.record?.state === 'completed');
      expect(promptsOf(owner, sessionId)).toEqual(['say 100000', 'say 3']);
      expect(reader.faults).toEqual([]);
    },
    testTimeout,
  );

  it(
    'writes nothing of a session that another has taken over, after it was frozen past its lease',
    async () => {
      const [owner, other, third] = cluster.nodes as Trio;
      const earlier = await owner.recorded.agents();
      const { sessionId, projectId, reader } = await sessionOn(owner, other);
      await owner.running().api.send(sessionId, 'say 100000');
      await reader.until(sessionId, (timeline) => agentText(timeline).length > 500);
      const early = await third.running().api.call('POST', `/api/session/${sessionId}/takeover`);
      expect([early.status, early.body.error.code]).toEqual([409, 'NOT_SUPPORTED']);

      owner.freeze();
      await Promise.all([cluster.sees(other, owner, 'gone'), cluster.sees(third, owner, 'gone')]);
      // Both try to take it at the same moment. Only one wins.
      const takeOver = (node: ProgramNode) => node.running().api.call('POST', `/api/session/${sessionId}/takeover`);
      const taken = await Promise.all([takeOver(other), takeOver(third)]);
      expect(new Set(taken.map(({ status }) => status))).toEqual(new Set([200, 409]));
      const [winner, loser] = taken[0]?.status === 200 ? [other, third] : [third, other];
      const sent = await loser.running().api.send(sessionId, 'say 5');
      expect(sent.status).toBe(202);
      const watcher = await connectReader(loser.running().ready);
      readers.push(watcher);
      watcher.subscribe(sessionId, 'full');
      await watcher.until(sessionId, (timeline) => timeline.turns.get(sent.body.turnId)?.record?.state === 'completed');
      const before = { cursor: watcher.timeline(sessionId).cursor, text: agentText(watcher.timeline(sessionId)) };
      const { histories } = watcher.counts;

      owner.wake();
      await cluster.sees(other, owner, 'there');
      // It learns who owns the session now, and has stopped its own agent.
      await vi.waitFor(async () => {
        const { nodes } = await owner.view();
        const there = await owner.running().api.status(sessionId);
        expect(nodes.find(({ name }) => name === winner.name)?.presence).toBe('there');
        expect(there.activity).not.toBe('working');
        expect((await owner.recorded.agents()).filter((pid) => !earlier.includes(pid))).toEqual([]);
      }, patience);
      const asked = await owner.running().api.send(sessionId, 'say 2');
      expect(asked.status).toBe(202);
      await watcher.until(
        sessionId,
        (timeline) => timeline.turns.get(asked.body.turnId)?.record?.state === 'completed',
      );
      expect(promptsOf(winner, sessionId)).toEqual(['say 5', 'say 2']);
      // If the woken machine had written anything, every reader would have loaded a new history.
      expect(watcher.counts.histories).toBe(histories);
      expect(watcher.timeline(sessionId).cursor?.epoch).toBe(before.cursor?.epoch);
      expect(agentText(watcher.timeline(sessionId))).toBe(`${before.text}word0 word1 `);
      expect(await loser.summary(projectId, sessionId)).toBeUndefined();
      expect(watcher.faults).toEqual([]);
    },
    testTimeout,
  );
});

describe(`a Redis that is killed and restarts empty (seed ${seed})`, () => {
  it(
    'loses nothing that was acknowledged, does nothing twice, and keeps the order, however often',
    async () => {
      const random = createRandom(seed);
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
      /** Sends one message after the other. A refused one is sent again under the same id until it is accepted. */
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
        // Work on the machine itself continues whatever happens to Redis.
        const local = { content: `${randomUUID()} say 5`, clientMessageId: randomUUID() };
        const sent = await api.send(sessionId, local.content, local.clientMessageId);
        expect(sent.status).toBe(202);
        acknowledged.push({ content: local.content, turnId: sent.body.turnId, from: owner.name });
        // Sometimes Redis is back before anyone notices, sometimes after the others have seen it go.
        if (round === 0 || random.chance(0.4)) {
          await vi.waitFor(async () => {
            const { state, reason } = await other.view();
            expect([state, reason]).toEqual(['apart', expect.stringContaining("can't be reached")]);
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
      const arrivals = Map.groupBy(promptsOf(owner, sessionId), (text) => text);
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
      // After a new history, a reader holds only its newest page.
      expect(seenHere?.items.slice(-(seenThere?.items.length ?? 0))).toEqual(seenThere?.items);
      expect([...near.faults, ...far.faults]).toEqual([]);
      const figure = `${restarts} restarts; ${acknowledged.length} messages acknowledged, each executed once; ${tries.refused} of ${tries.sent} attempts rejected; histories ${far.counts.histories} (seed ${seed})`;
      report('Machines', 'Redis is killed and restarts empty', figure);
    },
    testTimeout,
  );
});
