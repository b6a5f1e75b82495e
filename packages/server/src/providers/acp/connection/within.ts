import { ProviderError } from '../../provider-error.ts';

/** Waits for an answer no longer than `ms`; then `AGENT_UNRESPONSIVE` with these words. */
export function within<T>(answer: Promise<T>, ms: number, words: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ProviderError('AGENT_UNRESPONSIVE', words)), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
