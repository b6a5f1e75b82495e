import { access, constants, realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';

/** The folder's real path, or a message that says what is wrong with it. */
export async function checkFolder(dir: string): Promise<Result<string, 'PROJECT_DIR_INVALID'>> {
  const invalid = (message: string) => fail('PROJECT_DIR_INVALID', message);
  if (dir.includes('\0')) return invalid("A path can't contain a null character.");
  if (dir === '~' || dir.startsWith('~/')) {
    return invalid(`"${dir}" is shell shorthand. Use the full path, such as /home/you/project.`);
  }
  if (!isAbsolute(dir)) return invalid(`"${dir}" is a relative path. Use the full path, starting with /.`);
  try {
    const real = await realpath(dir);
    if (!(await stat(real)).isDirectory()) return invalid(`"${dir}" is a file, not a folder.`);
    await access(real, constants.R_OK | constants.X_OK);
    return ok(real);
  } catch (error) {
    return invalid(sentence(dir, (error as NodeJS.ErrnoException).code));
  }
}

function sentence(dir: string, code: string | undefined): string {
  switch (code) {
    case 'ENOENT':
      return `The folder "${dir}" doesn't exist.`;
    case 'ENOTDIR':
      return `"${dir}" contains a part that isn't a folder.`;
    case 'EACCES':
    case 'EPERM':
      return `Can't read the folder "${dir}". Check its permissions.`;
    case 'ELOOP':
      return `"${dir}" is a symbolic link that loops.`;
    case 'ENAMETOOLONG':
      return 'This path is too long.';
    case undefined:
    default:
      return `Can't open the folder "${dir}" (${code ?? 'unknown reason'}).`;
  }
}
