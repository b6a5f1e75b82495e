import type { SessionError } from '@liminal/contracts';

/** Something could not be made durable. What a user asked for was then not done, and the message says so. */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure';
  /** The disk's own words. */
  readonly reason: string;

  constructor(reason: string) {
    super(`Couldn't write to disk (${reason}), so nothing was done. Check the disk, then try again.`);
    this.reason = reason;
  }
}

/** What a session shows while what its agent says can't be written. */
export function diskTrouble(error: unknown, at: string): SessionError {
  const reason = error instanceof StoreFailure ? error.reason : String(error);
  const sentence = `Agent output can't be written to disk (${reason}).`;
  const advice = 'It is kept in memory and retried. Check the disk before you stop Liminal Builder.';
  return { code: 'INTERNAL_ERROR', message: `${sentence} ${advice}`, at };
}
