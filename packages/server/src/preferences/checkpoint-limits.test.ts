import { expect, it } from 'vitest';
import type { CheckpointSize } from '../store/review-rows.ts';
import { checkpointsToPrune, checkpointTotals, storedCheckpointLimits } from './checkpoint-limits.ts';

const megabyte = 1024 * 1024;
const now = Date.parse('2026-03-01T00:00:00Z');
const size = (turnId: string, at: string, megabytes: number, gitDir = '/a/.git'): CheckpointSize => ({
  sessionId: 's',
  turnId,
  folder: gitDir.replace('/.git', ''),
  gitDir,
  at: `${at}T00:00:00.000Z`,
  bytes: megabytes * megabyte,
});
const limits = { days: 30, megabytes: 10, folderMegabytes: 0 };
const pruned = (sizes: readonly CheckpointSize[], given = limits) =>
  checkpointsToPrune(sizes, given, now).map(({ turnId }) => turnId);

it('CP-7: removes checkpoints that are too old, and the oldest beyond the size limit, per repository', () => {
  const sizes = [
    size('old', '2026-01-01', 1),
    size('b', '2026-02-20', 6),
    size('other', '2026-02-21', 9, '/b/.git'),
    size('c', '2026-02-22', 6),
    size('d', '2026-02-23', 4),
  ];
  expect(pruned(sizes)).toEqual(['old', 'b']);
  expect(pruned(sizes, { ...limits, days: 0, megabytes: 100 })).toEqual([]);
  expect(checkpointTotals(sizes)).toEqual([
    { folder: '/a', checkpoints: 4, bytes: 17 * megabyte },
    { folder: '/b', checkpoints: 1, bytes: 9 * megabyte },
  ]);
});

it('CP-7: keeps 30 days and 2 GB by default, and everything if the setting is invalid', () => {
  expect(storedCheckpointLimits({ setting: () => undefined })).toMatchObject({ days: 30, megabytes: 2_048 });
  expect(storedCheckpointLimits({ setting: () => ({ days: 'many' }) }).days).toBe(0);
});
