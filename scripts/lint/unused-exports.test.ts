import { expect, it } from 'vitest';
import { sourcesIn, unusedExports } from './unused-exports.ts';

/** What has no user in the program, and why it is there. */
const reasons: Readonly<Record<string, string>> = {
  'packages/web/src/rendering/join-classes.ts: twMerge': 'stands in for a package, by an alias of the build',
  'packages/domain/src/accumulate/process-stream-event.ts: createStreamEventProcessor':
    'the promised way in for streams of other hosts',
  'packages/server/src/store/memory/memory-store.ts: createMemoryStore': 'the second store, held to the same contract',
  'packages/domain/src/items/item-id.ts: turnOfItem': 'item ids are made and read in one module',
  'packages/server/src/processes/find-family.ts: findFamily': 'reads the process table, which one file may do',
  'packages/server/src/processes/process-table.ts: livingProcesses': 'reads the process table, which one file may do',
  'packages/server/src/processes/process-log.ts: silentLog': 'the empty form of the port beside it',
};

it('everything the program exports has a user, and what only tests use is under testing', () => {
  const { unused, usedByTestsAlone } = unusedExports(['packages', 'e2e', 'bench', 'scripts'].flatMap(sourcesIn));
  // These two are for other hosts as well.
  const found = [...unused, ...usedByTestsAlone].filter((each) => !/^packages\/(contracts|client)\//.test(each));
  expect(found.filter((each) => !(each in reasons))).toEqual([]);
});

it('tells what nobody uses from what tests alone use', () => {
  const source = (file: string, text: string) => ({ file, text });
  const sources = [
    source('packages/a/src/used.ts', 'export const used = 1;\nexport function forTests() {}\nexport class Nobody {}'),
    source('packages/a/src/user.ts', "import { used } from './used.ts';\nexport const own = used;\nown();"),
    source('packages/a/src/used.test.ts', "import { forTests } from './used.ts';"),
  ];
  expect(unusedExports(sources)).toEqual({
    unused: ['packages/a/src/used.ts: Nobody'],
    usedByTestsAlone: ['packages/a/src/used.ts: forTests'],
  });
});
