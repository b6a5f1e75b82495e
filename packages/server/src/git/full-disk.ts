import { fail, type Result } from '@liminal/contracts';

export const diskIsFull = 'The disk is full. Free some space, then try again.';

/** What git says when the disk, or the person's share of it, is full. */
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

/** Does something that writes. That the disk is full is a failure with a sentence, no accident. */
export async function writing<T>(task: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await task();
  } catch (error) {
    if (isDiskFull(error)) return fail('GIT_FAILED', diskIsFull);
    throw error;
  }
}
