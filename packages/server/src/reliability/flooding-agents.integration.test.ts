import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type AgentServer, startAgentServer } from './testing/agent-server.ts';
import { mebibytes, printFigures } from './testing/figures.ts';
import { connectReader, type FoldingReader } from './testing/folding-reader.ts';
import { bytesInUse } from './testing/heap.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { patience, scaled, testTimeout } from './testing/torture.ts';

const mebibyte = 1024 * 1024;
const turnBytes = scaled(48, 384) * mebibyte;
const openBytes = scaled(16, 64) * mebibyte;
/** How much an attack may leave behind: its output is stored, and the store is in memory here. */
const mostLeft = turnBytes + 32 * mebibyte;
/** How much memory it may use meanwhile: data held, on its way to the store, being read, and not yet collected. */
const mostTaken = 3 * turnBytes + 512 * mebibyte;
const rounds = scaled(25, 250);

/** How each attack ends: by its limits, or when the user cancels it. */
const attacks = [
  ['unfinished tool calls', 'is stopped'],
  ['finished tool calls', 'is stopped'],
  ['endless text', 'is stopped'],
  ['permission requests', 'is stopped'],
  ['small pieces of text', 'is cancelled'],
  ['replies that are never read', 'is cancelled'],
  ['files with many lines', 'is cancelled'],
  ['a command that never stops printing', 'is cancelled'],
] as const;

const program = fileURLToPath(new URL('./testing/flooding-agent.ts', import.meta.url));
const project = temporaryFolder('flooding');
const idOf = (attack: string): string => attack.replaceAll(' ', '-');
const specs = ['none', ...attacks.map(([attack]) => attack)].map((attack) => ({
  id: idOf(attack),
  name: 'Flood',
  args: [program, attack, project],
  usesFiles: true,
  usesTerminals: true,
}));

/** The session's status after its next message. */
const wellAgain = { state: 'open', activity: 'idle', isAlive: true };

let server: AgentServer;
let reader: FoldingReader;
const watchers: WebSocket[] = [];
beforeAll(async () => {
  writeFileSync(join(project, 'large'), 'x'.repeat(16 * mebibyte));
  writeFileSync(join(project, 'newlines'), '\n'.repeat(16 * mebibyte));
  const agentLimits = { turnBytes, openBytes, cancelMs: 1_000 };
  server = await startAgentServer({ specs, agentLimits, maxLiveAgents: specs.length });
  reader = await connectReader(server.address);
});
afterAll(async () => {
  await reader.close();
  await server.close();
});

async function open(attack: string): Promise<string> {
  const made = await server.api.call('POST', '/api/session/create', { cliType: idOf(attack), projectDir: project });
  expect([made.status, made.body.error]).toEqual([201, undefined]);
  return made.body.sessionId as string;
}

/** A browser that watches. Its messages aren't kept, because this process would have to hold them. */
async function watch(sessionId: string): Promise<void> {
  const { port, token } = server.address;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: `Bearer ${token}` } });
  watchers.push(socket);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'session:subscribe', sessionId, encoding: 'append' }));
}

const isBusy = async (sessionId: string): Promise<boolean> =>
  ['working', 'waiting'].includes((await server.api.status(sessionId)).activity);

async function send(sessionId: string, content: string): Promise<string> {
  const { status, body } = await server.api.send(sessionId, content);
  expect(status).toBe(202);
  return body.turnId as string;
}

/** The time from the user's message to the end of its turn in the browser, in ms. */
async function roundTrip(sessionId: string): Promise<number> {
  const began = performance.now();
  const turnId = await send(sessionId, 'hello');
  await reader.until(sessionId, ({ turns }) => turns.get(turnId)?.record?.state === 'completed');
  return performance.now() - began;
}

const quantile = (times: readonly number[], share: number): string => {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
};

describe('agents that flood', () => {
  it.each(attacks)(
    '%s: the attack %s, memory stays bounded, and another session continues meanwhile',
    async (attack, ending) => {
      const [neighbour, attacker] = [await open('none'), await open(attack)];
      reader.subscribe(neighbour, 'append');
      await watch(attacker);
      const alone: number[] = [];
      for (let round = 0; round < rounds; round += 1) alone.push(await roundTrip(neighbour));
      const before = bytesInUse();

      await send(attacker, 'attack');
      const beside: number[] = [];
      let taken = 0;
      // As long as the attack lasts, and long enough to measure.
      while (beside.length < rounds || (ending === 'is stopped' && (await isBusy(attacker)))) {
        beside.push(await roundTrip(neighbour));
        const { heapUsed, external } = process.memoryUsage();
        taken = Math.max(taken, heapUsed + external - before);
      }
      if (ending === 'is cancelled') await server.api.call('POST', `/api/session/${attacker}/cancel`);
      await vi.waitFor(async () => expect(await isBusy(attacker)).toBe(false), patience);
      const { lastError } = await server.api.status(attacker);
      if (ending === 'is stopped') {
        expect(lastError?.code).toBe('PROTOCOL_ERROR');
        expect(lastError?.message).toMatch(/so it was stopped/);
      }
      await server.served.writer.flush();
      watchers.splice(0).forEach((socket) => socket.terminate());
      await send(attacker, 'hello');
      await vi.waitFor(async () => expect(await server.api.status(attacker)).toMatchObject(wellAgain), patience);
      await server.api.call('POST', `/api/session/${attacker}/kill`);
      const left = bytesInUse() - before;
      printFigures(`flood: ${attack}`, {
        'another session, P50 without → with the flood': `${quantile(alone, 0.5)} → ${quantile(beside, 0.5)} ms`,
        P99: `${quantile(alone, 0.99)} → ${quantile(beside, 0.99)} ms`,
        'its turns': beside.length,
        'peak memory': mebibytes(taken),
        'memory kept': mebibytes(left),
        attack: ending,
      });
      expect(taken).toBeLessThan(mostTaken);
      expect(left).toBeLessThan(mostLeft);
    },
    testTimeout,
  );
});
