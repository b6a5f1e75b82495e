import type { FileDiff, UpsertObject } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { changesOfCalls, filesOfCalls, patchOfCalls, pathsOfCalls } from './changes-of-calls.ts';

const call = (diffs: FileDiff[], part: object = {}): UpsertObject =>
  ({ type: 'tool_call', status: 'complete', toolKind: 'edit', diffs, ...part }) as unknown as UpsertObject;

describe('the changes that edit calls report', () => {
  it('groups them by path relative to the folder, the last touched file first', () => {
    const changes = changesOfCalls(
      [
        call([{ path: '/work/app/a.ts', oldText: 'one\n', newText: 'two\n' }]),
        call([{ path: '/work/app/new.ts', oldText: null, newText: 'x\ny\n' }]),
        call([{ path: '/work/app/b.ts', oldText: 'x', newText: 'y' }], { status: 'error' }),
      ],
      '/work/app',
    );
    expect(
      filesOfCalls(changes).map(({ path, change, additions, deletions }) => [path, change, additions, deletions]),
    ).toEqual([
      ['new.ts', 'added', 2, 0],
      ['a.ts', 'modified', 1, 1],
    ]);
  });

  it('lists a file first that was touched again', () => {
    const edit = (path: string) => call([{ path, oldText: 'x', newText: 'y' }]);
    const changes = changesOfCalls([edit('a.ts'), edit('b.ts'), edit('a.ts')], '/work/app');
    expect(filesOfCalls(changes).map(({ path }) => path)).toEqual(['a.ts', 'b.ts']);
    expect(changes.get('a.ts')).toHaveLength(2);
  });

  it('writes them as a patch with numbered hunks', () => {
    const { patch, hunks } = patchOfCalls('a.ts', [
      { path: 'a.ts', oldText: 'one\ntwo\n', newText: 'one\n2\n', oldStart: 10, newStart: 10 },
    ]);
    expect(patch).toContain('@@ -10,2 +10,2 @@\n one\n-two\n+2\n');
    expect(hunks).toEqual([{ hunk: 0, oldStart: 10, oldLines: 2, newStart: 10, newLines: 2 }]);
  });

  it('lists the files of running calls, but not those that are only read', () => {
    const running = call([], { status: 'update', locations: [{ path: '/work/app/a.ts' }] });
    const read = call([], { toolKind: 'read', locations: [{ path: '/work/app/r.ts' }] });
    expect([...pathsOfCalls([running, read], '/work/app')]).toEqual(['a.ts']);
  });
});
