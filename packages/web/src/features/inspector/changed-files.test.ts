import type { FileDiff, UpsertObject } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { changedFiles } from './changed-files.ts';

const call = (diffs: FileDiff[], part: object = {}): UpsertObject =>
  ({ type: 'tool_call', status: 'complete', diffs, ...part }) as unknown as UpsertObject;
const diff = (path: string, oldText: string | null, newText: string): FileDiff => ({ path, oldText, newText });

describe('changedFiles', () => {
  it('gathers the changes of each file, the last touched first', () => {
    const files = changedFiles([
      call([diff('a', 'one', 'two')]),
      call([diff('b', null, 'x\ny')]),
      call([diff('a', 'two', 'two\nthree')]),
    ]);
    expect(files.map(({ path, added, removed, edits }) => [path, added, removed, edits.length])).toEqual([
      ['a', 2, 1, 2],
      ['b', 2, 0, 1],
    ]);
  });

  it('counts nothing that failed or still runs', () => {
    const change = [diff('a', 'one', 'two')];
    expect(changedFiles([call(change, { status: 'error' }), call(change, { toolOutputIsError: true })])).toEqual([]);
    expect(changedFiles([call(change, { status: 'update' })])).toEqual([]);
  });
});
