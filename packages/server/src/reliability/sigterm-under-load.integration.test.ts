import { afterEach, describe, expect, it, vi } from 'vitest';
import type { UpsertObject } from '@liminal/contracts';
import { printFigures } from './testing/figures.ts';
import { connectReader, type FoldingReader } from './testing/folding-reader.ts';
import { createRecordedProgram, type RecordedProgram } from './testing/recorded-program.ts';
import { patience, scaled, testTimeout } from './testing/torture.ts';

let recorded: RecordedProgram;
const readers: FoldingReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await recorded.cleanup();
});

const contentOf = (items: Iterable<UpsertObject>, itemId: string): string => {
  const item = [...items].find((candidate) => candidate.itemId === itemId);
  return item && 'content' in item ? item.content : '';
};

describe('stopping in the middle of work', () => {
  it.each((['SIGTERM', 'SIGINT'] as const).slice(0, scaled(1, 2)))(
    '%s, even when npm repeats it: all output is written, the queue stays, and the exit code is 0',
    async (signal) => {
      recorded = createRecordedProgram();
      const { api, program, ready } = await recorded.start();
      const reader = await connectReader(ready);
      readers.push(reader);
      const sessions: { sessionId: string; turnId: string; waiting: string }[] = [];
      for (let index = 0; index < scaled(2, 6); index += 1) {
        const sessionId = await api.newSession('recording', recorded.folder);
        reader.subscribe(sessionId, 'append');
        const { turnId } = (await api.send(sessionId, 'say 100000')).body;
        const waiting = (await api.send(sessionId, 'wait your turn')).body.turnId;
        sessions.push({ sessionId, turnId, waiting });
      }
      const short = await api.newSession('recording', recorded.folder);
      await api.send(short, 'say 1');
      for (const { sessionId, turnId } of sessions) {
        await reader.until(sessionId, (timeline) => contentOf(timeline.items.values(), `${turnId}:1:0`).length > 500);
      }
      const { turnId: nearlyDone } = (await api.send(short, 'say 250')).body;
      await vi.waitFor(async () => expect((await api.history(short)).entries).toHaveLength(4), patience);
      const prompts = recorded.prompts().length;

      const began = performance.now();
      program.child.kill(signal);
      program.child.kill(signal);
      const exit = await program.exited;
      const took = performance.now() - began;
      expect(exit).toEqual({ code: 0, signal: null });
      expect(await recorded.agents()).toEqual([]);

      const again = await recorded.start();
      for (const { sessionId, turnId, waiting } of sessions) {
        const history = await again.api.history(sessionId);
        expect(history.turns).toMatchObject([{ turnId, state: 'cancelled' }]);
        const seen = contentOf(reader.timeline(sessionId).items.values(), `${turnId}:1:0`);
        const kept = contentOf(history.entries, `${turnId}:1:0`);
        expect(kept.startsWith(seen)).toBe(true);
        expect(await again.api.queue(sessionId)).toMatchObject([{ turnId: waiting, state: 'held' }]);
      }
      // It had time to finish, and used it.
      expect((await again.api.history(short)).turns).toMatchObject([{}, { turnId: nearlyDone, state: 'completed' }]);
      expect(recorded.prompts()).toHaveLength(prompts);
      printFigures(`${signal} under load`, {
        'running turns': sessions.length,
        'queued messages': sessions.length,
        'exit code': String(exit.code),
        'exited after': `${Math.round(took)} ms`,
        lost: 0,
        'sent twice': 0,
        orphans: 0,
      });
    },
    testTimeout,
  );
});
