import { fail, type Result } from '@liminal/contracts';

export const diskIsFull = 'The disk is full. Free some space, then try again.';

/** Whether git reports that the disk is full, or the user's quota is used up. */
export const saysDiskIsFull = (text: string): boolean => /no space left on device|disk quota exceeded/i.test(text);

const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException | null)?.code ?? '');

/** Why a file can't be written, as part of a sentence. */
export const writeFailure = (path: string, error: unknown) =>
  isDiskFull(error)
    ? fail('GIT_FAILED', diskIsFull)
    : fail(
        'GIT_FAILED',
        `"${path}" could not be written (${(error as NodeJS.ErrnoException | null)?.code ?? 'unknown reason'}).`,
      );

/** Runs something that writes. Turns a full disk into a failure with a message. */
export async function writing<T>(task: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await task();
  } catch (error) {
    if (isDiskFull(error)) return fail('GIT_FAILED', diskIsFull);
    throw error;
  }
}
