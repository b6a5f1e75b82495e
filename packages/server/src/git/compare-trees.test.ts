import { ok } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { sizesOf } from './compare-trees.ts';
import type { GitRunner } from './run-git.ts';

/** Answers that every object has 7 bytes. */
const runner: GitRunner = async ({ input = '' }) => {
  const lines = input.toString().trim().split('\n');
  const stdout = Buffer.from(lines.map((id) => `${id} 7\n`).join(''));
  return ok({ code: 0, stdout, stderr: '', isCutShort: false });
};

it('returns the sizes it already knew even if it forgets them during the call', async () => {
  const many = Array.from({ length: 50_001 }, (_, number) => `object-${number}`);
  await sizesOf(runner, '/', many);
  expect(await sizesOf(runner, '/', ['object-1', 'another', null])).toEqual(
    ok(
      new Map([
        ['object-1', 7],
        ['another', 7],
      ]),
    ),
  );
});
