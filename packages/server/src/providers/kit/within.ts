import { ProviderError } from '../provider-error.ts';

/** Waits for an answer no longer than `ms`; then `AGENT_UNRESPONSIVE` with these words. */
export function within<T>(answer: Promise<T>, ms: number, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ProviderError('AGENT_UNRESPONSIVE', message)), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
