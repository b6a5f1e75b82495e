import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const skippedFolders = new Set(['node_modules', 'dist']);

/**
 * One hash over the names and contents of files and folders. Tests are left out. Contents and not times, because
 * a checkout or a copy changes times without changing anything.
 * @param {string} root
 * @param {string[]} parts files or folders, relative to root; what is missing counts as absent
 */
export function fingerprint(root, parts) {
  const hash = createHash('sha256');
  for (const part of parts) {
    for (const file of filesIn(path.join(root, part))) {
      hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

/**
 * @param {string} target
 * @returns {string[]}
 */
function filesIn(target) {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return /\.test\.tsx?$/.test(target) ? [] : [target];
  return readdirSync(target)
    .filter((name) => !skippedFolders.has(name))
    .toSorted()
    .flatMap((name) => filesIn(path.join(target, name)));
}
