import type { SessionError } from '@liminal/contracts';
import { StoreFailure } from '../store/store-failure.ts';

/** What a session shows while what its agent says can't be written. */
export function diskTrouble(error: unknown, at: string): SessionError {
  const reason = error instanceof StoreFailure ? error.reason : String(error);
  const sentence = `Agent output can't be written to disk (${reason}).`;
  const advice = 'It is kept in memory and retried. Check the disk before you stop Liminal Builder.';
  return { code: 'INTERNAL_ERROR', message: `${sentence} ${advice}`, at };
}
