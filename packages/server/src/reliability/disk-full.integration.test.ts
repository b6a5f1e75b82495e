import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { integrityOf } from './testing/check-database.ts';
import { printFigures } from './testing/figures.ts';
import { createRandom } from './testing/random.ts';
import { createRecordedProgram, type RecordedProgram, type Running } from './testing/recorded-program.ts';
import { createSmallDisk, type SmallDisk } from './testing/small-disk.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { patience, scaled, seed, testTimeout } from './testing/torture.ts';

const folder = temporaryFolder('full');
let recorded: RecordedProgram;
let disk: SmallDisk;
afterEach(async () => {
  await recorded.cleanup();
  await disk.remove();
});

type Sent = { readonly content: string; readonly clientMessageId: string };
const message = (words = 3): Sent => ({ content: `say ${words} ${randomUUID()}`, clientMessageId: randomUUID() });

/** Sends until the disk is full. Returns what was accepted, and what wasn't. */
async function sendUntilRefused({ api }: Running, sessionId: string): Promise<{ taken: Sent[]; refused: Sent }> {
  const taken: Sent[] = [];
  for (;;) {
    const one = message();
    const { status, body } = await api.send(sessionId, one.content, one.clientMessageId);
    if (status === 202) {
      taken.push(one);
      continue;
    }
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(body.error.message).toMatch(/Couldn't write to disk \(.+\), so nothing was done/);
    return { taken, refused: one };
  }
}

describe(`a disk that fills up (seed ${seed})`, () => {
  it(
    'rejects what it can’t store, continues when there is space, and keeps everything it accepted',
    async () => {
      const random = createRandom(seed);
      recorded = createRecordedProgram();
      disk = await createSmallDisk(recorded.dataDir, 24);
      let running = await recorded.start({}, disk.within);
      const sessionId = await running.api.newSession('recording', recorded.folder);
      const taken: Sent[] = [];
      let [refusals, isOutside] = [0, false];
      const allDone = (count: number) =>
        vi.waitFor(async () => {
          const { turns } = await running.api.history(sessionId);
          expect(turns.filter(({ state }) => state === 'completed')).toHaveLength(count);
        }, patience);
      for (let round = 0; round < scaled(2, 10); round += 1) {
        // The agent is sending, and messages are queued, when the disk fills up.
        for (let count = 1 + random.below(4); count > 0; count -= 1) {
          const one = message(40 + random.below(100));
          expect((await running.api.send(sessionId, one.content, one.clientMessageId)).status).toBe(202);
          taken.push(one);
        }
        disk.fill();
        const result = await sendUntilRefused(running, sessionId);
        refusals += 1;
        expect((await running.api.call('GET', '/api/health')).status).toBe(200);
        expect((await running.api.history(sessionId)).turns.length).toBeGreaterThan(0);
        isOutside = !disk.makeRoom();
        if (isOutside) {
          await running.kill();
          running = await recorded.start();
        }
        const again = await running.api.send(sessionId, result.refused.content, result.refused.clientMessageId);
        expect(again.status).toBe(202);
        taken.push(...result.taken, result.refused);
        if (isOutside) break;
        await allDone(taken.length);
        await vi.waitFor(
          async () => expect(await running.api.status(sessionId)).not.toHaveProperty('lastError'),
          patience,
        );
      }

      // Killed with a full disk: the next start works, or explains what is wrong.
      disk.fill();
      await running.kill();
      const within = isOutside ? [] : disk.within;
      const start = await recorded.start({}, within).catch((error: unknown) => String(error));
      const outcome = typeof start === 'string' ? start : 'works';
      expect(outcome).toMatch(/^works$|Can't (open|write to) the (database|data directory) .+ \(.+\)\. Check/);
      if (typeof start !== 'string') await start.kill();
      disk.makeRoom();
      running = await recorded.start({}, within);
      await running.api.call('POST', `/api/session/${sessionId}/load`);
      await vi.waitFor(async () => {
        expect((await running.api.queue(sessionId)).filter(({ state }) => state !== 'unknown')).toEqual([]);
        expect(await running.api.status(sessionId)).toMatchObject({ activity: 'idle' });
      }, patience);
      const { turns, entries } = await running.api.history(sessionId);
      const asked = entries.flatMap((entry) => (entry.type === 'message' ? [entry.content] : []));
      const waiting = (await running.api.queue(sessionId)).map(({ content }) => content);
      const lost = taken.filter(({ content }) => ![...asked, ...waiting].includes(content)).length;
      const arrived = recorded.prompts().map(({ text }) => text);
      await running.kill();
      const copy = join(folder, 'copy.sqlite');
      disk.copyDatabase(copy);
      const integrity = integrityOf(copy);
      printFigures('disk full', {
        'caused by': disk.kind,
        rejected: refusals,
        acknowledged: taken.length,
        lost,
        'sent twice': arrived.length - new Set(arrived).size,
        'stuck sessions': turns.filter(({ state }) => state === 'running').length,
        'start without space': outcome === 'works' ? outcome : 'fails with a message',
        integrity,
      });
      expect([lost, arrived.length - new Set(arrived).size, integrity]).toEqual([0, 0, 'ok']);
    },
    testTimeout,
  );
});
