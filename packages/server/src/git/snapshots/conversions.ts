import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathText } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import type { RepositorySettings } from './repository-settings.ts';

const attributesFile = /(^|\/)\.gitattributes$/;
export const isAttributesPath = (path: string): boolean => attributesFile.test(path);
export const isAttributesFile = (path: Buffer): boolean => isAttributesPath(path.toString('latin1'));

/** Whether git may store bytes that differ from the file's, in any folder. True if the settings are unknown. */
export async function convertsAnywhere(settings: RepositorySettings | null): Promise<boolean> {
  if (settings === null || settings.convertsLineEnds) return true;
  return (await Promise.all(settings.attributeFiles.map(isThere))).includes(true);
}

/** The same for these files: any of their parent folders may have attributes. */
export async function mayConvert(
  { root }: Repository,
  settings: RepositorySettings | null,
  paths: readonly Buffer[],
): Promise<boolean> {
  if (await convertsAnywhere(settings)) return true;
  const folders = new Set(['']);
  for (const path of paths.map(pathText)) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  for (const folder of folders) if (await isThere(join(root, folder, '.gitattributes'))) return true;
  return false;
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
