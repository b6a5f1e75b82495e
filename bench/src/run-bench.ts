import type { Mode } from './bench.ts';
import { benches } from './benches.ts';
import { answerQuestions } from './processes/questions.ts';

/** Runs one bench in its own process, so garbage and compiled code of others don't affect it. */
await answerQuestions({
  run: async ({ name, mode, peers }: { name: string; mode: Mode; peers: boolean }) =>
    (await benches[name]?.())?.run(mode, { peers }),
});
process.exit(0);
