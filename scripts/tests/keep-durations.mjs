// node scripts/tests/keep-durations.mjs, after a whole `npm test`: a fresh clone then plans its first run with these
// durations.
import { keepDurations } from './durations.mjs';

console.log(`Kept the durations of ${keepDurations()} test files.`);
