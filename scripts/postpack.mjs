// Runs after `npm pack`, and restores the repository.
import { rmSync } from 'node:fs';
import { restoreManifest } from './package/kept-manifest.mjs';
import { inRoot } from './setup/paths.mjs';

restoreManifest();
rmSync(inRoot('dist'), { recursive: true, force: true });
