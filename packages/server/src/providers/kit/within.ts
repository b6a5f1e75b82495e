import { ProviderError } from '../provider-error.ts';

/** Waits at most `ms` for an answer; then fails with `AGENT_UNRESPONSIVE` and this message. */
export function within<T>(answer: Promise<T>, ms: number, message: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ProviderError('AGENT_UNRESPONSIVE', message)), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
