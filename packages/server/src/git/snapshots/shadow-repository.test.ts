import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok } from '@liminal/contracts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { GitRunner } from '../run-git.ts';
import { openShadow } from './shadow-repository.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'liminal-shadow-'));
  await mkdir(join(data, 'project'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

it('CP-1: creates one repository for sessions that start at the same time in a new folder', async () => {
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let inits = 0;
  const runner: GitRunner = async ({ args }) => {
    if (args[0] === 'init') {
      inits += 1;
      begun.resolve();
      await gate.promise;
      await mkdir(args.at(-1) ?? '', { recursive: true });
      await writeFile(join(args.at(-1) ?? '', 'HEAD'), 'ref: refs/heads/main\n');
    }
    return ok({ code: 0, stdout: Buffer.alloc(0), stderr: '', isCutShort: false });
  };
  const open = () => openShadow(runner, { folder: join(data, 'shadow'), megabytes: () => 1 }, join(data, 'project'));
  const opening = Promise.allSettled([open(), open(), open()]);
  await begun.promise;
  gate.resolve();
  const opened = (await opening).map((each) =>
    each.status === 'fulfilled' && each.value.ok ? each.value.value : null,
  );
  const [one] = opened;
  expect(opened.map((each) => each?.repository)).toEqual([one?.repository, one?.repository, one?.repository]);
  expect([inits, existsSync(join(one?.repository.gitDir ?? '', 'HEAD'))]).toEqual([1, true]);
});
