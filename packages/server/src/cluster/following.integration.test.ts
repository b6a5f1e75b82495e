import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type BusySession, createBusySession } from '../reliability/testing/busy-session.ts';
import { connectReader, type FoldingReader } from '../reliability/testing/folding-reader.ts';
import { createRandom } from '../reliability/testing/random.ts';
import { report } from '../reliability/testing/report.ts';
import { shown } from '../reliability/testing/shown.ts';
import { patience, scaled, seed, testTimeout } from '../reliability/testing/torture.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { testToken } from '../testing/test-server.ts';
import { startTestCluster, type TestCluster } from './testing/test-cluster.ts';

let cluster: TestCluster;
const readers: FoldingReader[] = [];
const folder = mkdtempSync(join(tmpdir(), 'liminal-following-'));
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

const sessionCount = scaled(3, 12);
const readerCount = scaled(5, 20);
const steps = scaled(1_500, 20_000);
const encodings = ['full', 'append'] as const;

describe(`browsers of another machine whose connections break (seed ${seed})`, () => {
  it(
    'end up with the owner’s state: nothing lost or duplicated, in order, with rising numbers',
    async () => {
      const random = createRandom(seed);
      cluster = await startTestCluster(1);
      const store = openSqliteStore(join(folder, 'owner.sqlite'));
      const limits = { historyBytes: 64 * 1024 * 1024, maxOutboxBytes: 48 * 1024 };
      const owner = await cluster.add({ store, maxLiveAgents: sessionCount, limits });
      const other = await cluster.add({ limits });
      const sessions: BusySession[] = [];
      for (let index = 0; index < sessionCount; index += 1) sessions.push(await createBusySession(owner, random));
      await cluster.settled();
      const address = { port: other.port, token: testToken };
      for (let index = 0; index < readerCount; index += 1) {
        const reader = await connectReader(address);
        readers.push(reader);
        for (const { sessionId } of sessions)
          if (random.chance(0.7)) reader.subscribe(sessionId, random.pick(encodings));
      }

      for (let step = 0; step < steps; step += 1) {
        await random.pick(sessions).step();
        if (random.chance(0.03)) {
          const reader = random.pick(readers);
          reader.cut();
          await reader.connect();
        }
        if (random.chance(0.8)) await new Promise(setImmediate);
      }
      for (const session of sessions) await session.finish('the end');

      for (const { sessionId } of sessions) {
        const fresh = await connectReader({ port: owner.port, token: testToken });
        readers.push(fresh);
        fresh.subscribe(sessionId, 'full');
        await fresh.until(sessionId, (timeline) => timeline.cursor !== undefined);
        const truth = fresh.timeline(sessionId);
        for (const reader of readers.filter((one) => one.follows(sessionId))) {
          await reader.until(sessionId, (timeline) => timeline.info.title === 'the end' && timeline.holes.size === 0);
          // The owner may add something after the end. Both receive it at their own pace.
          await vi.waitFor(() => expect(reader.timeline(sessionId).cursor).toEqual(truth.cursor), patience);
          expect(shown(reader.timeline(sessionId))).toEqual(shown(truth));
        }
      }
      expect(readers.flatMap((reader) => reader.faults)).toEqual([]);
      const total = (name: keyof FoldingReader['counts']) =>
        readers.reduce((sum, reader) => sum + reader.counts[name], 0);
      const figure = `${steps} steps in ${sessionCount} sessions, ${readers.length} subscribers: ${total('messages')} messages, resumed ok ${total('resumedOk')}, gap ${total('resumedGap')}, histories ${total('histories')} (seed ${seed})`;
      report('Machines', 'sockets cut, subscribers on another machine', figure);
      expect(total('resumedOk')).toBeGreaterThan(10);
    },
    testTimeout,
  );
});
