import { defineConfig } from 'vitest/config';
import { inRoot } from './scripts/setup/paths.mjs';
import { DurationReporter } from './scripts/tests/duration-reporter.ts';
import { LongestFirstSequencer } from './scripts/tests/longest-first-sequencer.ts';

/** On a busy machine, a polled condition may take long. It counts as a failure only if it never becomes true. */
const patience = { timeout: 15_000 };

const integration = ['**/*.integration.test.ts'];
const components = ['packages/web/src/**/*.component.test.tsx'];

const unit = {
  sequence: { groupOrder: 0 },
  // Files share a worker and its loaded modules, which is four times faster. So each file must restore what it replaces
  // before the next one runs.
  isolate: false,
  // Only for tests that hang: a busy machine must not make a test fail.
  testTimeout: 120_000,
  // Threads that tests start, such as the store's writer, read their source from this cache in half the time.
  env: { NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'liminal', 'compiled') },
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
};

export default defineConfig({
  test: {
    reporters: ['default', new DurationReporter()],
    // Here and not in the projects, because all of them share it.
    sequence: { sequencer: LongestFirstSequencer },
    projects: [
      {
        test: {
          ...unit,
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/src/**/*.test.ts'],
          exclude: [...integration, ...components],
          setupFiles: ['scripts/tests/repeat-seed.ts'],
        },
      },
      {
        // A separate project, so tests without a DOM never share a worker with tests that have one.
        test: {
          ...unit,
          name: 'component',
          include: components,
          environment: 'happy-dom',
          setupFiles: ['packages/web/src/testing/setup-dom.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          sequence: { groupOrder: 1 },
          include: ['packages/*/src/**/*.integration.test.ts'],
          setupFiles: ['scripts/tests/repeat-seed.ts'],
          // Each of these starts processes and spends half its time waiting for them.
          maxWorkers: 3,
          // Only for tests that hang, as above. Real agents start slowly on a busy machine.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: patience },
        },
      },
      {
        test: {
          name: 'e2e',
          sequence: { groupOrder: 2 },
          include: ['e2e/src/**/*.e2e.test.ts'],
          // Each file has its own server, data directory and browser. More than two browsers slow each other down on a
          // small machine.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: patience },
        },
      },
    ],
  },
});
