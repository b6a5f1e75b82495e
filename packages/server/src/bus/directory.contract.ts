import type { SessionSummary } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import type { DirectoryChange, SessionDirectory } from './directory.ts';

export const summary = (sessionId: string, title = 'A session'): SessionSummary => ({
  sessionId,
  cliType: 'scripted',
  projectId: 'p',
  title,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  status: 'open',
  activity: 'idle',
  isAlive: true,
  archived: false,
});

export type MadeDirectory = {
  /** Where sessions are put, and where they are read; the same object where there is only one machine. */
  readonly writer: SessionDirectory;
  readonly reader: SessionDirectory;
  /** Waits until everything put so far has arrived. */
  settle(): Promise<void>;
};

/** Every directory, in memory or networked, passes this one suite. */
export function directoryContract(name: string, create: () => MadeDirectory | Promise<MadeDirectory>) {
  describe(`directory: ${name}`, () => {
    const open = async () => {
      const made = await create();
      const changes: DirectoryChange[] = [];
      const leave = made.reader.follow((change) => {
        if (change.sessions.length + change.removed.length > 0) changes.push(change);
      });
      return { ...made, changes, leave };
    };
    const ids = (directory: SessionDirectory) => directory.all().map(({ sessionId }) => sessionId);

    it('holds the newest state of each session, by id and in the list', async () => {
      const { writer, reader, settle } = await open();
      for (const one of [summary('a'), summary('b'), summary('a', 'Renamed')]) writer.put(one);
      await settle();
      expect(ids(reader).toSorted()).toEqual(['a', 'b']);
      expect(reader.get('a')).toMatchObject(summary('a', 'Renamed'));
      expect(reader.get('none')).toBeUndefined();
    });

    it('notifies followers of new and removed sessions', async () => {
      const { writer, reader, settle, changes } = await open();
      writer.put(summary('a'));
      await settle();
      writer.remove('a');
      await settle();
      expect(changes.map(({ sessions, removed }) => [sessions.map((one) => one.sessionId), removed])).toEqual([
        [['a'], []],
        [[], ['a']],
      ]);
      expect([ids(reader), reader.get('a')]).toEqual([[], undefined]);
    });

    it('doesn’t notify followers of unchanged sessions, or followers who left', async () => {
      const { writer, settle, changes, leave } = await open();
      writer.put(summary('a'));
      await settle();
      writer.put(summary('a'));
      writer.remove('none');
      await settle();
      expect(changes).toHaveLength(1);
      leave();
      writer.put(summary('a', 'Renamed'));
      await settle();
      expect(changes).toHaveLength(1);
    });
  });
}
