import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { track } from './progress.mjs';
import { runCommand } from './run-command.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * Debian packages, of which the first available one is enough, or advice for a user who must install one.
 * @typedef {{ packages: string[], isRoot: boolean } | { advice: string }} Plan
 */

/** What we are allowed to do on this machine. */
export function machineRights() {
  return {
    hasApt: existsSync('/usr/bin/apt-get'),
    isRoot: process.getuid?.() === 0,
    hasSudo: spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0,
  };
}

/**
 * Installs a missing program as planned, or says what the user must do.
 * @param {object} job
 * @param {string} job.what the program and what it is for, as it is in a sentence
 * @param {Plan} job.plan
 * @param {() => boolean} job.isThere
 * @param {string} job.otherwise what a user can do instead
 */
export async function installWithApt({ what, plan, isThere, otherwise }) {
  if ('advice' in plan) throw new SetupError(plan.advice);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  /** @param {string[]} args what apt-get says if it fails */
  const apt = async (...args) => {
    // Without -n, sudo could wait for a password that nobody enters.
    const [command = 'apt-get', ...rest] = [...(plan.isRoot ? [] : ['sudo', '-n']), 'apt-get', ...args];
    const { code, output } = await runCommand(command, rest, { env });
    return code === 0 ? undefined : output;
  };
  const failure = await track(`Installing ${what}`, async () => {
    let reason = await apt('update');
    if (reason !== undefined) return reason;
    for (const name of plan.packages) {
      reason = await apt('install', '-y', name);
      if (reason === undefined) return undefined;
    }
    return reason;
  });
  if (failure !== undefined) {
    const reason = failure.trimEnd().split('\n').slice(-12).join('\n');
    throw new SetupError(
      `${reason}\napt-get could not install ${what}. Its output is above. Fix that, or ${otherwise}.`,
    );
  }
  if (!isThere()) throw new SetupError(`apt-get did not provide ${what}. Instead, ${otherwise}.`);
}
