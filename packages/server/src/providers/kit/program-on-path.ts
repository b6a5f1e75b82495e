import { execFileSync } from 'node:child_process';
import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { asNonEmptyString, asRecord } from './read-json.ts';

const versionMs = 3_000;

/** The file of a name in PATH. Relative folders are skipped: the current folder may be anyone's. */
export function findOnPath(name: string, path: string): string | undefined {
  const places = path.split(delimiter).filter(isAbsolute);
  return places.map((folder) => join(folder, name)).find(isProgram);
}

/** The file behind all links; the file itself if that can't be resolved. */
export function behindLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/**
 * The version of an agent's program. After a usual installation its package or file name contains it. Otherwise this
 * starts the program, which takes a moment.
 */
export function versionOfProgram(file: string, packageName: string): string | undefined {
  const real = behindLinks(file);
  if (isVersion(basename(real))) return basename(real);
  for (const folder of [dirname(real), dirname(dirname(real))]) {
    const { name, version } = manifestIn(folder);
    if (name === packageName && version !== undefined) return version;
  }
  try {
    const said = execFileSync(file, ['--version'], {
      encoding: 'utf8',
      timeout: versionMs,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return versionIn(said);
  } catch {
    return undefined;
  }
}

/** The version in a program's output (`codex-cli 0.166.0`, `2.1.325 (Claude Code)`). */
export function versionIn(text: string): string | undefined {
  return /(?:^|[/\s])v?(\d+\.\d+\.\d+\S*)/.exec(text)?.[1];
}

const isVersion = (name: string): boolean => /^\d+\.\d+\.\d+$/.test(name);

function manifestIn(folder: string): { readonly name?: string | undefined; readonly version?: string | undefined } {
  try {
    const manifest = asRecord(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    return { name: asNonEmptyString(manifest['name']), version: asNonEmptyString(manifest['version']) };
  } catch {
    return {};
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
