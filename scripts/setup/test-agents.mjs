import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { adviceForFailedInstall } from './install-state.mjs';
import { runNpm } from './npm.mjs';
import { programNode } from './node.mjs';
import { inRoot } from './paths.mjs';
import { track } from './progress.mjs';
import { runCommand } from './run-command.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * Third-party agents that the tests run offline, besides Codex and Claude Code. The program doesn't depend on them, so
 * they aren't in the lockfile and have their own folder.
 * @typedef {object} TestAgent
 * @property {string} name
 * @property {string} wanted the package, with its exact version
 * @property {string} [prepare] what its install script does, run by us: npm does not run it everywhere
 * @property {string} program
 */

/** @type {TestAgent[]} */
const agents = [
  {
    name: 'opencode',
    wanted: 'opencode-ai@1.18.33',
    prepare: 'node_modules/opencode-ai/postinstall.mjs',
    program: 'node_modules/.bin/opencode',
  },
];

/** Installs what is missing, once per version. */
export async function ensureTestAgents() {
  for (const agent of agents) await ensureAgent(agent);
}

/** @param {TestAgent} agent */
async function ensureAgent({ name, wanted, prepare, program }) {
  const folder = inRoot('node_modules', '.cache', 'agents', name);
  const stamp = path.join(folder, 'installed');
  if (existsSync(path.join(folder, program)) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // With its own package.json, because npm would otherwise treat the folder as part of ours.
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: `test-agent-${name}`, private: true }));
  const flags = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts', wanted];
  const { code, output } = await track(`Installing ${wanted} for the tests`, () => runNpm(flags));
  if (code !== 0) throw new SetupError(`The tests need ${wanted}. ${adviceForFailedInstall(output)}`);
  if (prepare) await runPrepare(wanted, path.join(folder, prepare));
  if (!existsSync(path.join(folder, program))) throw new SetupError(`${wanted} has no ${program} for this machine.`);
  writeFileSync(stamp, wanted);
}

/**
 * @param {string} wanted
 * @param {string} script
 */
async function runPrepare(wanted, script) {
  const { code, output } = await runCommand(programNode() ?? process.execPath, [script]);
  if (code !== 0) throw new SetupError(`${wanted} could not be prepared:\n${output}`);
}
