import { defineConfig } from 'vitest/config';
import { inRoot } from './scripts/setup/paths.mjs';
import { DurationReporter } from './scripts/tests/duration-reporter.ts';
import { LongestFirstSequencer } from './scripts/tests/longest-first-sequencer.ts';

/** What is polled for may take its time on a busy machine; it is a failure only when it never comes. */
const patience = { timeout: 15_000 };

const integrationFiles = ['**/*.integration.test.ts'];
/** Each of these needs its own process: they measure its memory and descriptors, flood it, or replace its modules. */
const alone = [
  'packages/server/src/reliability/**/*.integration.test.ts',
  'packages/server/src/providers/acp/project-files-race.integration.test.ts',
];
const components = ['packages/web/src/**/*.component.test.tsx'];

/**
 * Files share a worker and what it has loaded, which makes unit tests four times faster. So what one of them replaces
 * has to be put back before the next one runs.
 */
const shared = { isolate: false, restoreMocks: true, unstubEnvs: true, unstubGlobals: true };

const unit = {
  ...shared,
  sequence: { groupOrder: 0 },
  // Only against a test that hangs: how busy the machine is must not decide whether one passes.
  testTimeout: 120_000,
  // Threads of the program that tests start, such as the store's writer, read its source from here: half the time.
  env: { NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'liminal', 'compiled') },
};

const integration = {
  sequence: { groupOrder: 1 },
  globalSetup: ['scripts/tests/build-programs.mjs'],
  setupFiles: ['scripts/tests/repeat-seed.ts'],
  // Each of these starts processes of its own and waits for them half of the time.
  maxWorkers: 3,
  // As for the unit tests: only against one that hangs. Real agents take long to start on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: patience },
};

export default defineConfig({
  test: {
    reporters: ['default', new DurationReporter()],
    // Here and not in the projects: there is one for all of them.
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
        // A project of their own: workers with a DOM are never shared with tests that run without one.
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
          // Each file has a server, a data directory and a browser of its own; more than two browsers get in each
          // other's way on a small machine.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: patience },
        },
      },
    ],
  },
});
