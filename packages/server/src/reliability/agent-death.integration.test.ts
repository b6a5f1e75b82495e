import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AgentServer, startAgentServer } from './testing/agent-server.ts';
import { printFigures } from './testing/figures.ts';
import { connectReader, type FoldingReader } from './testing/folding-reader.ts';
import { patience, testTimeout } from './testing/torture.ts';

let server: AgentServer;
const readers: FoldingReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await server.close();
});

async function follow(sessionId: string): Promise<FoldingReader> {
  const reader = await connectReader(server.address);
  readers.push(reader);
  reader.subscribe(sessionId, 'append');
  return reader;
}

describe('an agent that dies', () => {
  it(
    'is reported as PROCESS_CRASH, and the session keeps its history and resumes with the next message',
    async () => {
      server = await startAgentServer();
      const { api } = server;
      const sessionId = await api.newSession('recording', server.folder);
      const reader = await follow(sessionId);
      const { turnId } = (await api.send(sessionId, 'hang')).body;
      await reader.until(sessionId, (timeline) => timeline.items.has(`${turnId}:1:0`));
      const [agent] = await server.agents();
      const began = performance.now();
      process.kill(agent!, 'SIGKILL');
      await reader.until(sessionId, (timeline) => timeline.turns.get(turnId)?.record?.ended !== undefined);
      await reader.until(sessionId, (timeline) => timeline.status?.isAlive === false);
      // Reported, not asserted: the time also depends on the load of the machine.
      printFigures('agent death', { 'reported after': `${Math.round(performance.now() - began)} ms` });
      const { turns, items, status } = reader.timeline(sessionId);
      expect(turns.get(turnId)?.record).toMatchObject({
        state: 'failed',
        ended: { type: 'turn_error', errorCode: 'PROCESS_CRASH' },
      });
      expect(items.get(`${turnId}:1:0`)).toMatchObject({ status: 'error', content: 'once' });
      expect(status).toMatchObject({
        state: 'open',
        activity: 'asleep',
        isAlive: false,
        lastError: { code: 'PROCESS_CRASH' },
      });

      const next = (await api.send(sessionId, 'say 3')).body.turnId;
      await reader.until(sessionId, (timeline) => timeline.turns.get(next)?.record?.state === 'completed');
      expect(reader.timeline(sessionId).items.get(`${next}:1:0`)).toMatchObject({ content: 'word0 word1 word2 ' });
      expect(await server.agents()).toHaveLength(1);
      expect(reader.faults).toEqual([]);
    },
    testTimeout,
  );

  it(
    'is reported as asleep if nothing runs, and opening the session restores it with its history',
    async () => {
      server = await startAgentServer();
      const { api } = server;
      const sessionId = await api.newSession('recording', server.folder);
      const reader = await follow(sessionId);
      const { turnId } = (await api.send(sessionId, 'say 2')).body;
      await reader.until(sessionId, (timeline) => timeline.turns.get(turnId)?.record?.state === 'completed');
      const [agent] = await server.agents();
      process.kill(agent!, 'SIGKILL');
      await reader.until(sessionId, (timeline) => timeline.status?.isAlive === false);
      expect(reader.timeline(sessionId).status).toMatchObject({
        activity: 'asleep',
        lastError: { code: 'PROCESS_CRASH' },
      });
      expect((await api.call('POST', `/api/session/${sessionId}/load`)).status).toBe(200);
      await reader.until(sessionId, (timeline) => timeline.status?.isAlive === true);
      expect((await api.history(sessionId)).entries).toHaveLength(2);
      expect(await server.agents()).toHaveLength(1);
    },
    testTimeout,
  );

  it(
    'fails every turn if it dies at the same prompt each time, and affects nothing else',
    async () => {
      server = await startAgentServer();
      const { api } = server;
      const [bad, good] = [
        await api.newSession('recording', server.folder),
        await api.newSession('recording', server.folder),
      ];
      for (let round = 0; round < 3; round += 1) await api.send(bad, `die ${round}`);
      const { turnId } = (await api.send(good, 'say 5')).body;
      await vi.waitFor(async () => {
        const { turns } = await api.history(bad);
        expect(turns.map((turn) => turn.state)).toEqual(['failed', 'failed', 'failed']);
      }, patience);
      await vi.waitFor(
        async () => expect((await api.history(good)).turns).toMatchObject([{ turnId, state: 'completed' }]),
        patience,
      );
    },
    testTimeout,
  );
});
