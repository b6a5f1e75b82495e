// node scripts/lint/used-by-tests.ts: lists what the program exports and tests alone use. Some of it is meant so: the
// second store, item ids, the process table, what waits for its first user. The rest belongs under a `testing` folder.
import { sourcesIn, unusedExports } from './unused-exports.ts';

const { usedByTestsAlone } = unusedExports(['packages', 'e2e', 'bench', 'scripts'].flatMap(sourcesIn));
console.log(usedByTestsAlone.join('\n'));
