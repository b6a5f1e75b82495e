import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { ensurePageBuilt } from './page.mjs';
import { ensurePinnedNode } from './pinned-node.mjs';
import { ensureServerBuilt } from './server.mjs';
import { ensureRedis } from './redis.mjs';
import { SetupError } from './setup-error.mjs';
import { say } from './terminal.mjs';
import { ensureTestAgents } from './test-agents.mjs';

/**
 * Makes a fresh clone ready, and costs next to nothing when it is.
 * `--test`: a browser, Redis and further agents for the tests too. `--no-page`: without building the page and the server.
 * @param {string[]} flags
 */
export async function run(flags) {
  try {
    await ensureInstalled();
    ensurePinnedNode();
    if (flags.includes('--test')) {
      await ensureChromium();
      await ensureRedis();
      await ensureTestAgents();
    }
    if (flags.includes('--no-page')) return;
    await ensurePageBuilt();
    await ensureServerBuilt();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(error instanceof SetupError ? reason : `Set-up failed: ${reason}`);
    process.exitCode = 1;
  }
}
