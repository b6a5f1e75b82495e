import type { Mode } from './bench.ts';
import { benches } from './benches.ts';
import { answerQuestions } from './processes/questions.ts';

/** One bench in a process of its own: none of them meets the garbage or the compiled code of another. */
await answerQuestions({
  run: async ({ name, mode }: { name: string; mode: Mode }) => (await benches[name]?.())?.run(mode),
});
process.exit(0);
