import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';

/** A server that only serves: the other machine of a pair. */
export async function run(host: BenchHost): Promise<void> {
  await answerQuestions({ open: () => ({ port: host.port, token: host.token }) });
}
