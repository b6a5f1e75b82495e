import { restoreManifest } from '../package/kept-manifest.mjs';
import { cli, ensureBuilt, page, server } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode } from './node.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { say } from './progress.mjs';
import { ensureRedis } from './redis.mjs';
import { SetupError } from './setup-error.mjs';
import { ensureTerminalPrograms } from '../tests/terminal-programs.mjs';
import { ensureTestAgents } from './test-agents.mjs';

/**
 * Prepares a fresh clone, and takes almost no time if that is done already. `--test`: also installs a browser, Redis,
 * terminal programs and additional agents for the tests. `--no-page`: builds neither the page, the server nor the
 * command line.
 * @param {string[]} flags
 */
export async function run(flags) {
  try {
    await oneAtATime(() => prepare(flags), say);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(error instanceof SetupError ? reason : `Set-up failed: ${reason}`);
    process.exitCode = 1;
  }
}

/** @param {string[]} flags */
async function prepare(flags) {
  restoreManifest();
  const isForTests = flags.includes('--test');
  // In parallel: installing waits for the network, unpacking for the disk, building for the CPU.
  const programs = isForTests ? ensurePrograms() : Promise.resolve();
  programs.catch(() => {});
  await ensureInstalled();
  await ensureNode();
  const builds = flags.includes('--no-page') ? Promise.resolve() : buildAll();
  await Promise.all([programs, isForTests ? ensureTestAgents() : null, builds]);
}

/** What the tests need from the system. One after another, because only one package manager can run. */
async function ensurePrograms() {
  await ensureChromium();
  await ensureRedis();
  await ensureTerminalPrograms();
}

async function buildAll() {
  for (const build of [page, server, cli]) await ensureBuilt(build);
}
