import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { planChromium } from './chromium-plan.mjs';
import { findChromium } from './find-chromium.mjs';
import { SetupError } from './setup-error.mjs';
import { runCommand, say } from './terminal.mjs';

/** Makes sure that the browser tests have a browser, and installs Debian's where it may. */
export async function ensureChromium() {
  if (findChromium() !== undefined) return;
  const plan = planChromium({
    chromiumPath: process.env.CHROMIUM_PATH,
    hasApt: existsSync('/usr/bin/apt-get'),
    isRoot: process.getuid?.() === 0,
    hasSudo: spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0,
  });
  if ('advice' in plan) throw new SetupError(plan.advice);
  say('Installing Chromium for the browser tests …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const [command = '', ...args] of plan.commands) {
    const { code } = await runCommand(command, args, { env, show: true });
    if (code !== 0)
      throw new SetupError('Chromium could not be installed; apt-get says why above. Mend that, or set CHROMIUM_PATH.');
  }
  if (findChromium() === undefined)
    throw new SetupError('apt-get brought no Chromium. Set CHROMIUM_PATH to the program file of one.');
}
