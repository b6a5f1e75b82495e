import { expect, it } from 'vitest';
import { readSource, sourcesIn, unusedExports } from './unused-exports.ts';

it('distinguishes unused exports from those only tests use', () => {
  const source = (file: string, text: string) => ({ file, text });
  const sources = [
    source('packages/a/src/used.ts', 'export const used = 1;\nexport function forTests() {}\nexport class Nobody {}'),
    source('packages/a/src/user.ts', "import { used } from './used.ts';\nexport const own = used;\nown();"),
    source('packages/a/src/used.test.ts', "import { forTests } from './used.ts';"),
  ];
  expect(unusedExports(sources)).toEqual({
    unused: ['packages/a/src/used.ts: Nobody'],
    usedAtHomeAlone: ['packages/a/src/user.ts: own'],
    usedByTestsAlone: ['packages/a/src/used.ts: forTests'],
  });
});

it('finds no unused export in the repository', () => {
  const { unused, usedAtHomeAlone, usedByTestsAlone } = unusedExports([
    ...['packages', 'e2e', 'bench', 'scripts'].flatMap(sourcesIn),
    ...['vitest.config.ts', 'oxlint.config.ts'].map(readSource),
  ]);
  // Contracts and the client are for other hosts as well, and one file stands in for a third-party package.
  const isMeant = (each: string): boolean => /^packages\/(contracts|client)\/|\/join-classes\.ts:/.test(each);
  expect([...unused, ...usedAtHomeAlone].filter((each) => !isMeant(each))).toEqual([]);
  expect(usedByTestsAlone.filter((each) => !isMeant(each))).toEqual([
    // Drives the accumulator in tests of events without a provider's own messages.
    'packages/domain/src/accumulate/process-stream-event.ts: createStreamEventProcessor',
    // Item ids are created and parsed in one file.
    'packages/domain/src/items/item-id.ts: turnOfItem',
    // The second implementation of the store's port.
    'packages/server/src/store/memory/memory-store.ts: createMemoryStore',
  ]);
});
