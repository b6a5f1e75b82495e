import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { ProviderError } from '../provider-error.ts';

/** The folder an agent is to work in, symlinks resolved; `PROJECT_DIR_INVALID` says what is wrong with it. */
export async function projectFolder(dir: string): Promise<string> {
  const refuse = (why: string, cause?: unknown): never => {
    throw new ProviderError('PROJECT_DIR_INVALID', `${dir || 'An empty path'} ${why}`, cause);
  };
  if (!isAbsolute(dir)) return refuse('is not an absolute path. Give the whole path of the folder.');
  const real = await realpath(dir).catch((cause: unknown) =>
    refuse('does not exist. Create the folder or choose another.', cause),
  );
  if (!(await stat(real)).isDirectory()) return refuse('is not a folder.');
  await access(real, constants.R_OK | constants.X_OK).catch((cause: unknown) =>
    refuse('cannot be read. Check its permissions.', cause),
  );
  return real;
}
