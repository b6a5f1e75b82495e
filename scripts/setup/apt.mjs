import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { SetupError } from './setup-error.mjs';
import { runCommand, say } from './terminal.mjs';

/** What we may do on this machine. */
export function machineRights() {
  return {
    hasApt: existsSync('/usr/bin/apt-get'),
    isRoot: process.getuid?.() === 0,
    hasSudo: spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0,
  };
}

/**
 * Carries out a plan for a program that is missing, or says what a person must do.
 * @param {object} job
 * @param {string} job.what the program and what it is for, as it stands in a sentence
 * @param {{ commands: string[][] } | { advice: string }} job.plan
 * @param {() => boolean} job.isThere
 * @param {string} job.otherwise what a person can do instead
 */
export async function installWithApt({ what, plan, isThere, otherwise }) {
  if ('advice' in plan) throw new SetupError(plan.advice);
  say(`Installing ${what} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const [command = '', ...args] of plan.commands) {
    const { code } = await runCommand(command, args, { env, show: true });
    if (code !== 0)
      throw new SetupError(`apt-get could not install ${what}; it says why above. Mend that, or ${otherwise}.`);
  }
  if (!isThere()) throw new SetupError(`apt-get brought no ${what}: ${otherwise}.`);
}
