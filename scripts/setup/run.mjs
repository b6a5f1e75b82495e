import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { ensurePageBuilt } from './page.mjs';
import { ensurePinnedNode } from './pinned-node.mjs';
import { SetupError } from './setup-error.mjs';
import { say } from './terminal.mjs';

/**
 * Makes a fresh clone ready, and costs next to nothing when it is.
 * `--test`: a browser for the tests too. `--no-page`: without building the page.
 * @param {string[]} flags
 */
export async function run(flags) {
  try {
    await ensureInstalled();
    ensurePinnedNode();
    if (flags.includes('--test')) await ensureChromium();
    if (!flags.includes('--no-page')) await ensurePageBuilt();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(error instanceof SetupError ? reason : `Set-up failed: ${reason}`);
    process.exitCode = 1;
  }
}
