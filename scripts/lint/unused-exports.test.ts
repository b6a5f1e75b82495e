import { expect, it } from 'vitest';
import { sourcesIn, unusedExports } from './unused-exports.ts';

it('nothing is exported that nobody uses, not even a test', () => {
  const { unused } = unusedExports(['packages', 'e2e', 'bench', 'scripts'].flatMap(sourcesIn));
  // Everything in two of the packages is for other hosts as well, and one file stands in for a package of others.
  const isMeant = (each: string): boolean => /^packages\/(contracts|client)\/|\/join-classes\.ts:/.test(each);
  expect(unused.filter((each) => !isMeant(each))).toEqual([]);
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
