import type { Mode } from './bench.ts';
import { benches } from './benches.ts';
import { answerQuestions } from './processes/questions.ts';

/** One bench in a process of its own: none of them meets the garbage or the compiled code of another. */
await answerQuestions({
  run: async ({ name, mode, peers }: { name: string; mode: Mode; peers: boolean }) =>
    (await benches[name]?.())?.run(mode, { peers }),
});
process.exit(0);
