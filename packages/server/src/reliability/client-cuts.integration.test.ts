import type { Socket } from 'node:net';
import type { FollowedSession } from '@liminal/client/follow-session';
import { connect } from '@liminal/client/connect';
import type { Timeline } from '@liminal/domain/timeline/timeline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testToken } from '../testing/test-server.ts';
import { createBusySession } from './testing/busy-session.ts';
import { mebibytes, printFigures } from './testing/figures.ts';
import { bytesInUse } from './testing/heap.ts';
import { createRandom } from './testing/random.ts';
import { shown } from './testing/shown.ts';
import { storedServers } from './testing/stored-server.ts';
import { isTorture, scaled, seed, testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

const cuts = scaled(200, 1_000);
/** The server and all its data are in this process too. State kept per cut would exceed this. */
const mostGrown = 32 * 1024 * 1024;
const startServer = storedServers('client-cuts');
const rejections: unknown[] = [];
const noteRejection = (reason: unknown) => void rejections.push(reason);
beforeEach(() => void process.on('unhandledRejection', noteRejection));
afterEach(() => void process.off('unhandledRejection', noteRejection));

describe(`the client package under cuts (seed ${seed})`, () => {
  it(
    'CL-2: follows a session through random disconnects, and ends up with the server’s state',
    async () => {
      const random = createRandom(seed);
      const server = await startServer({ limits: { historyBytes: 64 * 1024 * 1024, maxOutboxBytes: 48 * 1024 } });
      const connections = new Set<Socket>();
      server.served.app.server.on('connection', (socket: Socket) => {
        connections.add(socket);
        socket.on('close', () => connections.delete(socket));
      });
      const { port } = server.served.app.server.address() as { port: number };
      const session = await createBusySession(server, random);

      const ending = new AbortController();
      // Reconnects fast, because cuts are more frequent than the usual delays.
      const client = connect({ url: `http://127.0.0.1:${port}`, token: testToken, delay: () => random.below(20) });
      let [yields, losses] = [0, 0];
      let last: FollowedSession | undefined;
      const following = (async () => {
        for await (const state of client.open(session.sessionId).follow({ signal: ending.signal })) {
          yields += 1;
          if (state.connection.phase === 'lost') losses += 1;
          last = state;
          // A reader that is sometimes busy gets several changes as one.
          if (random.chance(0.1)) await new Promise(setImmediate);
        }
      })();
      const held = (): Readonly<Timeline> | undefined => last?.timeline;
      await until(() => held() !== undefined, 'the first state');
      const before = bytesInUse();
      for (let cut = 0; cut < cuts; cut += 1) {
        for (let step = random.below(12); step >= 0; step -= 1) {
          await session.step();
          await new Promise(setImmediate);
        }
        // At any moment: while connecting, while receiving a history, or in the middle of a text.
        for (const socket of connections) socket.destroy();
        if (random.chance(0.8))
          await until(() => last?.connection.phase === 'open' && connections.size > 0, 'a return');
      }
      const grown = bytesInUse() - before;
      await session.finish('the end');
      await until(() => held()?.info.title === 'the end' && held()?.holes.size === 0, 'the end');
      const truth = (await server.follow(session.sessionId, 'full')).timeline(session.sessionId);
      expect(shown(held() as Timeline)).toEqual(shown(truth));
      expect(held()?.items.size).toBeGreaterThan(cuts / 5);

      ending.abort();
      await following;
      expect(losses).toBeGreaterThan(cuts / 5);
      expect(rejections).toEqual([]);
      expect(connections.size).toBeLessThan(5);
      if (!isTorture) expect(grown).toBeLessThan(mostGrown);
      printFigures('client cut', {
        cuts,
        'states yielded': yields,
        'lost connections noticed': losses,
        'items held': held()?.items.size ?? 0,
        'memory growth including the server': mebibytes(grown),
      });
    },
    testTimeout,
  );
});
