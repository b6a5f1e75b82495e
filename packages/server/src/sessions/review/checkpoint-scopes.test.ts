import type { UpsertObject } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { editedWithout } from './checkpoint-scopes.ts';

const edit = (turnId: string, path: string): UpsertObject => ({
  type: 'tool_call',
  sessionId: 's',
  turnId,
  itemId: `${turnId}:${path}`,
  sourceTimestamp: '2026-01-01T00:00:00.000Z',
  emittedAt: '2026-01-01T00:00:00.000Z',
  status: 'complete',
  toolName: 'Edit',
  toolArguments: {},
  toolKind: 'edit',
  callId: `${turnId}:${path}`,
  diffs: [{ path: `/work/${path}`, oldText: 'one\n', newText: 'two\n' }],
});

it('RV-1 RV-7: names files edited by turns without a checkpoint, unless another turn lists them', () => {
  const entries = [edit('kept', 'a.txt'), edit('late', 'b.txt'), edit('late', 'c.txt')];
  expect(editedWithout([{ turnId: 'kept' }], entries, '/work', [{ path: 'c.txt' }])).toEqual(['b.txt']);
  expect(editedWithout([{ turnId: 'kept' }, { turnId: 'late' }], entries, '/work', [])).toEqual([]);
});
