import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import type * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProjectFiles } from './client-services/project-files.ts';

// Not a unit test: unit tests share loaded modules, and this one replaces the file system.
/** Runs right before and after each step that could open or create something. */
const around = vi.hoisted(() => ({ before: () => {}, after: () => {} }));
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>();
  const watched =
    <Given extends unknown[], Found>(act: (...given: Given) => Promise<Found>) =>
    async (...given: Given): Promise<Found> => {
      around.before();
      try {
        return await act(...given);
      } finally {
        around.after();
      }
    };
  return { ...real, open: watched(real.open), mkdir: watched(real.mkdir) };
});

let base = '';
let root = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-race-')));
  root = join(base, 'project');
  mkdirSync(join(root, 'swap'), { recursive: true });
  mkdirSync(join(base, 'outside'));
});
afterEach(() => {
  around.before = around.after = () => {};
  rmSync(base, { recursive: true });
});

/** Replaces a folder with a link out of the project, only during the step with this number. */
function exchangeDuring(step: number): { readonly steps: () => number } {
  const [swap, aside] = [join(root, 'swap'), join(root, 'aside')];
  let steps = 0;
  around.before = () => {
    steps += 1;
    if (steps !== step) return;
    renameSync(swap, aside);
    symlinkSync(join(base, 'outside'), swap);
  };
  around.after = () => {
    if (steps !== step) return;
    unlinkSync(swap);
    renameSync(aside, swap);
  };
  return { steps: () => steps };
}

const mostSteps = 12;

describe.each(['file', 'folder/file', 'folder/deep/file'])('writing %s below a folder', (path) => {
  it('creates nothing outside when the folder is replaced by a link, at any step', async () => {
    const files = createProjectFiles(root);
    const target = join(root, 'swap', path);
    for (let step = 1; step <= mostSteps; step += 1) {
      const { steps } = exchangeDuring(step);
      await files.write({ path: target, content: `${step}` }).catch(() => {});
      expect(steps()).toBeGreaterThan(0);
      expect(readdirSync(join(base, 'outside'))).toEqual([]);
      rmSync(join(root, 'swap'), { recursive: true });
      mkdirSync(join(root, 'swap'));
    }
    around.before = around.after = () => {};
    await files.write({ path: target, content: 'in the end' });
    expect(readFileSync(target, 'utf8')).toBe('in the end');
  });
});

describe('a folder moved out of the project while a file in it is opened', () => {
  const outside = { code: -32602, message: expect.stringMatching(/outside the project folder/) as string };

  /** Moves the folder right before the last step, when it is already open, so no step on the path leads out. */
  function moveBeforeLastStep(): void {
    let steps = 0;
    around.before = () => {
      steps += 1;
      if (steps === 3) renameSync(join(root, 'swap'), join(base, 'outside/swap'));
    };
  }

  it("can't be read", async () => {
    writeFileSync(join(root, 'swap/file'), 'text');
    moveBeforeLastStep();
    await expect(createProjectFiles(root).read({ path: join(root, 'swap/file') })).rejects.toMatchObject(outside);
    expect(readdirSync(join(base, 'outside/swap'))).toEqual(['file']);
  });

  it("can't be written to", async () => {
    writeFileSync(join(root, 'swap/file'), 'text');
    moveBeforeLastStep();
    const path = join(root, 'swap/file');
    await expect(createProjectFiles(root).write({ path, content: 'changed' })).rejects.toMatchObject(outside);
    expect(readFileSync(join(base, 'outside/swap/file'), 'utf8')).toBe('text');
  });
});
