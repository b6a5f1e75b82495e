import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Every file of a folder with its bytes and mode, and git's view of it. Equal states mean the same work. */
export function folderState(root: string): { readonly files: Record<string, string>; readonly git: string[] } {
  const files: Record<string, string> = {};
  const walk = (folder: Buffer): void => {
    for (const name of readdirSync(folder, { encoding: 'buffer' })) {
      const path = Buffer.concat([folder, Buffer.from('/'), name]);
      const key = path.toString('latin1').slice(root.length + 1);
      if (key === '.git') continue;
      const found = lstatSync(path);
      if (found.isDirectory()) walk(path);
      else if (found.isSymbolicLink()) files[key] = `link ${readlinkSync(path)}`;
      else files[key] = `${(found.mode & 0o7777).toString(8)} ${readFileSync(path).toString('latin1')}`;
    }
  };
  walk(Buffer.from(root));
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root }).toString('latin1');
  return {
    files,
    git: [
      git('status', '--porcelain=v2', '-z', '--untracked-files=all', '--branch'),
      git('ls-files', '--stage', '-z'),
      git('rev-parse', 'HEAD'),
    ],
  };
}
