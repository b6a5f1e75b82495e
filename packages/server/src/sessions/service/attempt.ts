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
