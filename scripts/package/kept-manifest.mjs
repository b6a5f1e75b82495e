import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../setup/paths.mjs';

// npm packs the current package.json, so the repository's own is kept aside meanwhile.
const manifest = inRoot('package.json');
const kept = inRoot('.liminal', 'package.json');

/**
 * Replaces the repository's package.json.
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

/** Restores the repository's package.json, even after an interrupted pack. */
export function restoreManifest() {
  if (existsSync(kept)) renameSync(kept, manifest);
}
