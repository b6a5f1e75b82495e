import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itemsInOrder } from '@liminal/domain/timeline/timeline';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startProviderUnderTest } from '../providers/acp/testing/provider-under-test.ts';
import { scriptedAgent, talkTo } from '../providers/acp/testing/scripted-agent.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { printFigures } from './testing/figures.ts';
import { connectReader } from './testing/folding-reader.ts';
import { createRandom } from './testing/random.ts';
import { createRecordedProgram, type Running } from './testing/recorded-program.ts';
import { patience, scaled, seed, testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

const day = 24 * 60 * 60 * 1000;
const folder = mkdtempSync(join(tmpdir(), 'liminal-clock-'));
const closing: (() => Promise<unknown>)[] = [() => Promise.resolve(rmSync(folder, { recursive: true, force: true }))];
afterEach(async () => {
  vi.useRealTimers();
  while (closing.length > 1) await closing.pop()?.();
});

const preload = new URL('./testing/moved-clock.ts', import.meta.url).href;
const clockFile = join(folder, 'clock');
const environment = { NODE_OPTIONS: `--import ${preload}`, MOVED_CLOCK_FILE: clockFile };

async function moveClock({ ready }: Running, by: number): Promise<void> {
  writeFileSync(clockFile, String(by));
  process.kill(ready.pid, 'SIGUSR2');
  const isRead = () => existsSync(`${clockFile}.read`) && readFileSync(`${clockFile}.read`, 'utf8') === String(by);
  await until(isRead, 'the moved clock');
}

describe(`a clock that is moved by a day either way (seed ${seed})`, () => {
  it(
    'loses, duplicates, reorders and blocks nothing: during turns, while readers are away, and between starts',
    async () => {
      const random = createRandom(seed);
      const recorded = createRecordedProgram();
      closing.push(() => recorded.cleanup());
      writeFileSync(clockFile, '0');
      let running = await recorded.start(environment);
      const sessionId = await running.api.newSession('recording', recorded.folder);
      const sent: string[] = [];
      const rounds = scaled(2, 20);
      let moves = 0;
      for (let round = 0; round < rounds; round += 1) {
        const reader = await connectReader(running.ready);
        closing.push(() => reader.close());
        reader.subscribe(sessionId, 'append');
        await reader.until(sessionId, (timeline) => timeline.cursor !== undefined);
        // In the middle of a turn, with two queued messages and a disconnected reader.
        for (const by of round % 2 === 0 ? [day, -day, 0] : [-day, day, 0]) {
          const turns: string[] = [];
          for (const words of [40, 2, 2]) {
            const { status, body } = await running.api.send(
              sessionId,
              `say ${words + random.below(20)} ${sent.length + turns.length}`,
            );
            expect(status).toBe(202);
            turns.push(body.turnId as string);
          }
          sent.push(...turns);
          await reader.until(sessionId, ({ items }) => items.has(`${turns[0]}:1:0`));
          reader.cut();
          await moveClock(running, by);
          moves += 1;
          await reader.connect();
          const isDone = (turnId: string) =>
            reader.timeline(sessionId).turns.get(turnId)?.record?.state === 'completed';
          await reader.until(sessionId, () => turns.every(isDone));
        }
        expect(reader.faults).toEqual([]);
        const orders = [...itemsInOrder(reader.timeline(sessionId))].map((item) => item.order ?? -1);
        expect(orders).toEqual(orders.toSorted((a, b) => a - b));
        // Recent output may not be on disk yet, but a user's action is written after everything before it.
        const { status } = await running.api.call('PATCH', `/api/session/${sessionId}`, { title: `round ${round}` });
        expect(status).toBe(200);
        // The next server starts a day earlier or later than this one ended.
        await running.kill();
        writeFileSync(clockFile, String(random.pick([-day, day])));
        moves += 1;
        running = await recorded.start(environment);
      }
      const history = await running.api.history(sessionId);
      expect(history.turns.map((turn) => [turn.turnId, turn.state])).toEqual(sent.map((id) => [id, 'completed']));
      const arrived = recorded.prompts().map(({ text }) => text);
      expect(new Set(arrived).size).toBe(sent.length);
      expect(await running.api.status(sessionId)).toMatchObject({ state: 'open', activity: 'asleep' });
      printFigures('clock', {
        changes: moves,
        acknowledged: sent.length,
        lost: sent.length - history.turns.length,
        'sent twice': arrived.length - new Set(arrived).size,
        'out of order': 0,
        'stuck sessions': 0,
      });
    },
    testTimeout,
  );

  it('puts agents to sleep neither early nor late', async () => {
    const server: TestServer = await startTestServer({ idleMs: 50 });
    closing.push(() => server.close());
    const patient: TestServer = await startTestServer({ idleMs: 3_600_000 });
    closing.push(() => patient.close());
    const [sleeps, stays] = [await server.newSession(), await patient.newSession()];
    for (const by of [day, -day]) {
      vi.setSystemTime(Date.now() + by);
      await patient.served.keeper.check();
      expect(patient.provider.isAlive(stays)).toBe(true);
      await server.call('POST', `/api/session/${sleeps}/load`);
      await vi.waitFor(async () => {
        await server.served.keeper.check();
        expect(server.provider.isAlive(sleeps)).toBe(false);
      }, patience);
    }
  });

  it('doesn’t hold back text that was waiting when the clock was set back', async () => {
    // Must come first, because the provider captures the clock.
    vi.setSystemTime(Date.now());
    const started = startProviderUnderTest(
      scriptedAgent(`on['session/prompt'] = () => {
        say('hello');
        say(' there');
        update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'go', description: 'Goes' }] });
      };`),
    );
    closing.push(() => started.cleanup());
    const { provider } = started;
    const talk = await talkTo(provider, folder);
    provider.onSessionInfo?.(talk.sessionId, () => vi.setSystemTime(Date.now() - day));
    const before = Date.now();
    await provider.sendMessage(talk.sessionId, 'hi');
    await vi.waitFor(() => expect(talk.upserts.at(-1)).toMatchObject({ content: 'hello there' }), { timeout: 5_000 });
    expect(Date.now()).toBeLessThan(before - day / 2);
  });
});
