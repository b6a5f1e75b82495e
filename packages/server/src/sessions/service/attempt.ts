import { fail, type Result } from '@liminal/contracts';
import { ProviderError } from '../../providers/provider-error.ts';

/** Turns what a provider threw into a value of the one table; anything else stays an accident and is thrown on. */
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
 * Does what is asked once per id: asked again with the same id it gives the same answer, also while the first is still
 * being worked on. A failure is not kept, nor more than the newest answers.
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
