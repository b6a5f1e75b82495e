import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { inRoot } from './setup/paths.mjs';

/** Which picture of a state the documents show, and under which name. */
const pictures = { 'session-1440-light.png': 'session-light.png', 'session-1440-dark.png': 'session-dark.png' };

/** `npm run screenshots`: takes the pictures of the page's states again, and with them those of the documents. */
const { status } = spawnSync('npm', ['run', 'renew-looks'], { cwd: inRoot(), stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
for (const [state, name] of Object.entries(pictures))
  copyFileSync(inRoot('e2e', 'looks', state), inRoot('docs', 'images', name));
console.log('Look at the pictures in e2e/looks and docs/images before you commit them.');
