import { expect, test } from 'vitest';
import { createProgress } from './progress.mjs';

/** A screen whose clock and timer the test controls. */
function setup(isTerminal: boolean) {
  let time = 0;
  let tick: (() => void) | undefined;
  const written: string[] = [];
  const progress = createProgress({
    isTerminal,
    write: (text) => written.push(text),
    now: () => time,
    every(next) {
      tick = next;
      return () => (tick = undefined);
    },
  });
  return {
    progress,
    written,
    isTicking: () => tick !== undefined,
    pass(ms: number) {
      time += ms;
      tick?.();
    },
  };
}

test('shows a job as one animated line in a terminal, and keeps its final line', async () => {
  const { progress, written, pass, isTicking } = setup(true);
  const { promise, resolve } = Promise.withResolvers<void>();
  let done = 0;
  const tracked = progress.track(
    'Installing packages',
    () => promise,
    () => ({ done, total: 40 }),
  );
  done = 10;
  pass(1_000);
  const first = written.at(-1);
  done = 20;
  pass(1_000);
  expect(first).toContain('Installing packages: 10 of 40, 1 s');
  expect(written.at(-1)).toContain('Installing packages: 20 of 40, 2 s');
  expect(written.every((text) => text.startsWith('\r\u001B[K') && !text.includes('\n'))).toBe(true);
  // The spinner moves too, for jobs without a count.
  expect(written.at(-1)?.[4]).not.toBe(first?.[4]);
  resolve();
  await tracked;
  expect(written.at(-1)).toBe('\r\u001B[KInstalling packages: 2 s\n');
  expect(isTicking()).toBe(false);
});

test('prints the progress now and then in a log, without control characters', async () => {
  const { progress, written, pass } = setup(false);
  const { promise, resolve } = Promise.withResolvers<void>();
  const tracked = progress.track('Building the page', () => promise);
  pass(10_000);
  resolve();
  await tracked;
  expect(written).toEqual(['Building the page …\n', 'Building the page, 10 s\n', 'Building the page: 10 s\n']);
});

test('shares the line between two jobs, and keeps messages separate from it', async () => {
  const { progress, written, pass } = setup(true);
  const page = Promise.withResolvers<void>();
  const agent = Promise.withResolvers<void>();
  const jobs = [progress.track('Building', () => page.promise), progress.track('Installing', () => agent.promise)];
  pass(3_000);
  expect(written.at(-1)).toContain('Building, 3 s · Installing, 3 s');
  progress.say('Something to know.');
  expect(written.at(-2)).toBe('\r\u001B[KSomething to know.\n');
  expect(written.at(-1)).toContain('Building, 3 s');
  page.resolve();
  agent.resolve();
  await Promise.all(jobs);
});

test('stops the line when a job fails, and passes its error on', async () => {
  const { progress, isTicking } = setup(true);
  await expect(progress.track('Building', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(isTicking()).toBe(false);
});
