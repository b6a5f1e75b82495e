import { checkFolder } from '../../projects/check-folder.ts';
import { ProviderError } from '../provider-error.ts';

/** The folder an agent will work in, symlinks resolved; `PROJECT_DIR_INVALID` says what is wrong with it. */
export async function projectFolder(dir: string): Promise<string> {
  const checked = await checkFolder(dir);
  if (checked.ok) return checked.value;
  throw new ProviderError(checked.failure.code, checked.failure.message);
}
