import { defineConfig } from 'vitest/config';
import { inRoot } from './scripts/setup/paths.mjs';
import { DurationReporter } from './scripts/tests/duration-reporter.ts';
import { LongestFirstSequencer } from './scripts/tests/longest-first-sequencer.ts';

/** On a busy machine, a polled condition may take long. It counts as a failure only if it never becomes true. */
const patience = { timeout: 15_000 };

const integrationFiles = ['**/*.integration.test.ts'];
/** Each of these needs its own process: they measure its memory and descriptors, flood it, or replace its modules. */
const alone = [
  'packages/server/src/reliability/**/*.integration.test.ts',
  'packages/server/src/providers/acp/project-files-race.integration.test.ts',
];
const components = ['packages/web/src/**/*.component.test.tsx'];

/**
 * Files share a worker and its loaded modules, which makes unit tests four times faster. So each file must restore what
 * it replaces before the next one runs.
 */
const shared = { isolate: false, restoreMocks: true, unstubEnvs: true, unstubGlobals: true };

const unit = {
  ...shared,
  sequence: { groupOrder: 0 },
  // Only for tests that hang: a busy machine must not make a test fail.
  testTimeout: 120_000,
  // Threads that tests start, such as the store's writer, read their source from this cache in half the time.
  env: { NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'liminal', 'compiled') },
};

const integration = {
  sequence: { groupOrder: 1 },
  globalSetup: ['scripts/tests/build-programs.mjs'],
  setupFiles: ['scripts/tests/repeat-seed.ts'],
  // Each of these starts processes and spends half its time waiting for them. A fourth gains nothing on two processors.
  maxWorkers: 3,
  // Only for tests that hang, as above. Real agents start slowly on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: patience },
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
          exclude: [...integrationFiles, ...components],
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
          ...integration,
          name: 'integration',
          include: ['packages/*/src/**/*.integration.test.ts'],
          exclude: alone,
          ...shared,
        },
      },
      { test: { ...integration, name: 'integration-alone', include: alone } },
      {
        test: {
          ...shared,
          name: 'e2e',
          sequence: { groupOrder: 2 },
          include: ['e2e/src/**/*.e2e.test.ts'],
          globalSetup: ['scripts/tests/build-programs.mjs'],
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
