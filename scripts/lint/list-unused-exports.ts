// node scripts/lint/list-unused-exports.ts: lists what the program exports and nobody uses, which fails, and what tests
// alone use. Some of the latter is meant so: the second store, item ids, the process table. The rest belongs under a
// `testing` folder.
import { sourcesIn, unusedExports } from './unused-exports.ts';

/** Everything in two of the packages is for other hosts as well, and one file stands in for a package of others. */
const isMeant = (each: string): boolean => /^packages\/(contracts|client)\/|\/join-classes\.ts:/.test(each);
const { unused, usedByTestsAlone } = unusedExports(['packages', 'e2e', 'bench', 'scripts'].flatMap(sourcesIn));
const dead = unused.filter((each) => !isMeant(each));
console.log(['Used by nobody:', ...dead, 'Used by tests alone:', ...usedByTestsAlone].join('\n'));
process.exitCode = dead.length > 0 ? 1 : 0;
