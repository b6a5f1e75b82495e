import type { SessionError } from '@liminal/contracts';

/** Something couldn't be made durable, so the user's request wasn't carried out. The message says so. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
  /** The disk's own error message. */
  readonly reason: string;

  constructor(reason: string) {
    super(`Couldn't write to disk (${reason}), so nothing was done. Check the disk, then try again.`);
    this.reason = reason;
  }
}

/** The error a session shows while its agent's output can't be written. */
export function diskTrouble(error: unknown, at: string): SessionError {
  const reason = error instanceof StoreFailure ? error.reason : String(error);
  const sentence = `Agent output can't be written to disk (${reason}).`;
  const advice = 'It is kept in memory and retried. Check the disk before you stop Liminal Builder.';
  return { code: 'INTERNAL_ERROR', message: `${sentence} ${advice}`, at };
}
