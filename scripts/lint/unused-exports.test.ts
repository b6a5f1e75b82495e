import { expect, it } from 'vitest';
import { unusedExports } from './unused-exports.ts';

it('distinguishes unused exports from those only tests use', () => {
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
