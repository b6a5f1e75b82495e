// Runs after `npm pack`, and brings the repository back to how it was.
import { rmSync } from 'node:fs';
import { restoreManifest } from './package/kept-manifest.mjs';
import { inRoot } from './setup/paths.mjs';

restoreManifest();
rmSync(inRoot('dist'), { recursive: true, force: true });
