import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { track } from './progress.mjs';
import { runCommand } from './run-command.mjs';
import { SetupError } from './setup-error.mjs';

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
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const failure = await track(`Installing ${what}`, async () => {
    for (const [command = '', ...args] of plan.commands) {
      const { code, output } = await runCommand(command, args, { env });
      if (code !== 0) return output;
    }
    return undefined;
  });
  if (failure !== undefined) {
    const reason = failure.trimEnd().split('\n').slice(-12).join('\n');
    throw new SetupError(`${reason}\napt-get could not install ${what}; it says why above. Fix that, or ${otherwise}.`);
  }
  if (!isThere()) throw new SetupError(`apt-get brought no ${what}: ${otherwise}.`);
}
