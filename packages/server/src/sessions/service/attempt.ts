import { fail, type Result } from '@liminal/contracts';
import { ProviderError } from '../../providers/provider-error.ts';

/** Turns a provider's error into a failure of the error table; anything else is unexpected and rethrown. */
export async function attempt<T>(task: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof ProviderError) return fail(error.code, error.message);
    throw error;
  }
}

type Act<T> = () => Promise<Result<T>>;

/**
 * Runs a task once per id: repeated calls with the same id get the same answer, even while the first is pending.
 * Failures aren't kept, and only the newest answers are.
 */
export function answerOnce<T>(kept: number) {
  const answers = new Map<string, Promise<Result<T>>>();
  return (id: string | undefined, act: Act<T>): Promise<Result<T>> => {
    if (id === undefined) return attempt(act);
    const known = answers.get(id);
    if (known !== undefined) return known;
    const answer = attempt(act);
    answers.set(id, answer);
    const [oldest] = answers.keys();
    if (answers.size > kept && oldest !== undefined) answers.delete(oldest);
    answer.then(
      (result) => !result.ok && answers.delete(id),
      () => answers.delete(id),
    );
    return answer;
  };
}
