import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../setup/paths.mjs';

// npm packs the package.json that is there. That of the repository is kept aside meanwhile.
const manifest = inRoot('package.json');
const kept = inRoot('.liminal', 'package.json');

/**
 * Puts another package.json in the place of the repository's.
 * @param {(repository: Record<string, any>) => Record<string, any>} change
 */
export function replaceManifest(change) {
  restoreManifest();
  const text = readFileSync(manifest, 'utf8');
  mkdirSync(path.dirname(kept), { recursive: true });
  writeFileSync(`${kept}.new`, text);
  renameSync(`${kept}.new`, kept);
  writeFileSync(manifest, `${JSON.stringify(change(JSON.parse(text)), null, 2)}\n`);
}

/** Brings the repository's package.json back, also after a packing that was interrupted. */
export function restoreManifest() {
  if (existsSync(kept)) renameSync(kept, manifest);
}
