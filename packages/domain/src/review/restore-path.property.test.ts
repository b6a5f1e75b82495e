import fc from 'fast-check';
import { expect, it } from 'vitest';
import { restorePath, sameEntry, type FileEntry, type TurnVersions } from './restore-path.ts';

const entry = fc.option(
  fc.record({ mode: fc.constantFrom('100644', '100755', '120000'), id: fc.constantFrom('a', 'b', 'c', 'd') }),
  { nil: null },
);
/** The versions of a file after each turn of one session, with no other changes, oldest first. */
const versions = fc.array(entry, { minLength: 2, maxLength: 6 });
const turnsOf = (states: readonly (FileEntry | null)[]): TurnVersions[] =>
  states
    .slice(1)
    .map((after, place) => ({ before: states[place] ?? null, after }))
    .filter(({ before, after }) => !sameEntry(before, after))
    .toReversed();

it('CP-3: a file that only this session changed returns to its state before the first of the turns', () => {
  fc.assert(
    fc.property(versions, (states) => {
      const now = states.at(-1) ?? null;
      expect(restorePath(now, turnsOf(states))).toEqual({ kind: 'done', to: states[0] ?? null });
    }),
  );
});

it('CP-3: a file that is already in its old state stays unchanged', () => {
  fc.assert(
    fc.property(entry, entry, (before, after) => {
      expect(restorePath(before, sameEntry(before, after) ? [] : [{ before, after }])).toEqual({
        kind: 'done',
        to: before,
      });
    }),
  );
});

it('CP-3: content that someone else left is never replaced without a merge', () => {
  const foreign = { mode: '100644', id: 'foreign' };
  fc.assert(
    fc.property(versions, (states) => {
      const turns = turnsOf(states);
      const step = restorePath(foreign, turns);
      if (turns.length === 0) expect(step).toEqual({ kind: 'done', to: foreign });
      else expect(step.kind).not.toBe('done');
      if (step.kind === 'merge') expect([step.ours.id, step.rest.length]).toEqual(['foreign', turns.length - 1]);
      if (step.kind === 'conflict') expect(step.to).toEqual(turns.at(-1)?.before ?? null);
    }),
  );
});

it('CP-3: links, submodules and created or deleted files are never merged', () => {
  const file = { mode: '100644', id: 'a' };
  const link = { mode: '120000', id: 'b' };
  for (const turn of [
    { before: null, after: file },
    { before: file, after: null },
    { before: link, after: file },
    { before: file, after: { mode: '160000', id: 'c' } },
  ]) {
    expect(restorePath({ mode: '100644', id: 'x' }, [turn]).kind).toBe('conflict');
  }
});
