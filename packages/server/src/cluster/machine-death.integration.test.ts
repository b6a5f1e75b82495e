import type { Project } from '@liminal/contracts';
import { textOf } from '@liminal/domain/timeline/item-text';
import { itemsInOrder, type Timeline } from '@liminal/domain/timeline/timeline';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectReader, type FoldingReader } from '../reliability/testing/folding-reader.ts';
import { patience, testTimeout } from '../reliability/testing/torture.ts';
import { type ProgramCluster, type ProgramNode, startProgramCluster } from './testing/program-cluster.ts';

let cluster: ProgramCluster;
const readers: FoldingReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await cluster.close();
});

type Trio = [ProgramNode, ProgramNode, ProgramNode];
const agentText = (timeline: Timeline): string =>
  [...itemsInOrder(timeline)]
    .filter((item) => !item.itemId.endsWith(':0:0'))
    .map(textOf)
    .join('');

/** A session on the first machine, known to the others, followed from the second. */
async function sessionOn(owner: ProgramNode, other: ProgramNode) {
  const sessionId = await owner.running().api.newSession('recording', owner.recorded.folder);
  const { projects } = (await owner.running().api.call('GET', '/api/projects')).body as { projects: Project[] };
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
    'is seen as gone within its lease, its history stays readable everywhere, and its sessions go on when it returns',
    async () => {
      cluster = await startProgramCluster(3);
      const [owner, other, third] = cluster.nodes as Trio;
      const { sessionId, projectId, reader } = await sessionOn(owner, other);
      const sent = await other.running().api.send(sessionId, 'say 100000');
      expect(sent.status).toBe(202);
      await reader.until(sessionId, (timeline) => agentText(timeline).length > 2_000);

      await owner.running().kill();
      const diedAt = performance.now();
      await cluster.sees(other, owner, 'gone');
      console.info(
        `seen as gone after ${Math.round(performance.now() - diedAt)} ms of a lease of ${cluster.leaseMs} ms`,
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
      expect(owner.recorded.prompts().map(({ text }) => text)).toEqual(['say 100000', 'say 3']);
      expect(reader.faults).toEqual([]);
    },
    testTimeout,
  );

  it(
    'frozen past its lease and woken again, writes nothing of a session that another has taken over',
    async () => {
      cluster = await startProgramCluster(3);
      const [owner, other, third] = cluster.nodes as Trio;
      const { sessionId, projectId, reader } = await sessionOn(owner, other);
      await owner.running().api.send(sessionId, 'say 100000');
      await reader.until(sessionId, (timeline) => agentText(timeline).length > 500);
      const early = await third.running().api.call('POST', `/api/session/${sessionId}/takeover`);
      expect([early.status, early.body.error.code]).toEqual([409, 'NOT_SUPPORTED']);

      owner.freeze();
      await Promise.all([cluster.sees(other, owner, 'gone'), cluster.sees(third, owner, 'gone')]);
      // Both want it at the same moment: one wins.
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
      // It knows whose the session is now, and its own agent has been stopped.
      await vi.waitFor(async () => {
        const { nodes } = await owner.view();
        const there = await owner.running().api.status(sessionId);
        expect(nodes.find(({ name }) => name === winner.name)?.presence).toBe('there');
        expect(there.activity).not.toBe('working');
        expect(await owner.recorded.agents()).toEqual([]);
      }, patience);
      const asked = await owner.running().api.send(sessionId, 'say 2');
      expect(asked.status).toBe(202);
      await watcher.until(
        sessionId,
        (timeline) => timeline.turns.get(asked.body.turnId)?.record?.state === 'completed',
      );
      expect(winner.recorded.prompts().map(({ text }) => text)).toEqual(['say 5', 'say 2']);
      // Anything the woken one had written would have sent every reader for a new history.
      expect(watcher.counts.histories).toBe(histories);
      expect(watcher.timeline(sessionId).cursor?.epoch).toBe(before.cursor?.epoch);
      expect(agentText(watcher.timeline(sessionId))).toBe(`${before.text}word0 word1 `);
      expect(await loser.summary(projectId, sessionId)).toBeUndefined();
      expect(watcher.faults).toEqual([]);
    },
    testTimeout,
  );
});
