import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { type Client, connect } from '@liminal/client/connect';
import type { ProviderSummary } from '@liminal/contracts';
import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { dataDirOf, findServer, runningServer } from '../base/server-access.ts';
import { seemsSignedIn } from '../base/sign-in-state.ts';
import { type Colours, visible } from '../base/terminal.ts';

/** One check: what was found, and what to do if it is wrong. */
type Check = {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly fix?: string;
  /** Optional: its absence isn't a problem. */
  readonly optional?: true;
};

const leastNode = 20;
const leastFree = 1024 ** 3;
const leastWatches = 65_536;
const usualPort = 4747;

function checkNode(): Check {
  const isNew = Number(process.versions.node.split('.')[0]) >= leastNode;
  const fix = isNew ? {} : { fix: `Install Node ${leastNode} or newer from https://nodejs.org.` };
  return { check: 'node', ok: isNew, found: `Node ${process.versions.node}`, ...fix };
}

async function checkGit(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version']);
    return { check: 'git', ok: true, found: stdout.trim() };
  } catch {
    return {
      check: 'git',
      ok: false,
      found: 'git was not found',
      fix: 'Install git; without it changes can’t be shown.',
    };
  }
}

function checkDataDir(dataDir: string): Check {
  const check = 'data directory';
  if (!existsSync(dataDir)) return { check, ok: true, found: `${dataDir} doesn't exist yet; the first start makes it` };
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK);
  } catch {
    return { check, ok: false, found: `${dataDir} can't be written`, fix: 'Change its owner or permissions.' };
  }
  const isOpen = (statSync(dataDir).mode & 0o077) !== 0;
  if (!isOpen) return { check, ok: true, found: dataDir };
  return { check, ok: false, found: `Other users can read ${dataDir}`, fix: `Run: chmod 700 ${dataDir}` };
}

function checkDisk(dataDir: string): Check {
  const place = existsSync(dataDir) ? dataDir : existsSync(dirname(dataDir)) ? dirname(dataDir) : '/';
  const { bavail, bsize } = statfsSync(place);
  const ok = bavail * bsize >= leastFree;
  const found = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free`;
  return {
    check: 'disk',
    ok,
    found,
    ...(ok ? {} : { fix: 'Free some space. Sessions can’t be saved on a full disk.' }),
  };
}

/** Linux limits how many files a user may watch. */
function checkWatches(): Check | null {
  try {
    const limit = Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
    const fix = `Run: sudo sysctl fs.inotify.max_user_watches=${leastWatches * 8}`;
    const ok = limit >= leastWatches;
    return { check: 'watched files', ok, found: `at most ${limit}`, ...(ok ? {} : { fix }) };
  } catch {
    return null;
  }
}

/** Not every agent is needed. One that can't start isn't a fault, and says itself what to do. */
function checkAgent({ name, cliType, available, reason, version }: ProviderSummary, env: NodeJS.ProcessEnv): Check {
  const check = `agent ${cliType}`;
  if (!available) return { check, ok: false, optional: true, found: visible(reason ?? `${name} can't start`) };
  const found = version === undefined ? `${name} is ready` : `${name} ${version} is ready`;
  const isSignedIn = seemsSignedIn(cliType, { env, home: homedir(), platform: process.platform, exists: existsSync });
  if (isSignedIn !== false) return { check, ok: true, found: isSignedIn ? `${found}, signed in` : found };
  return {
    check,
    ok: false,
    optional: true,
    found: `${found}, but not signed in`,
    fix: 'Start a session with it in the page and choose “Sign in”.',
  };
}

/** Whether a server started now would get its port. */
async function checkPort(env: NodeJS.ProcessEnv): Promise<Check> {
  const port = Number(env['LIMINAL_PORT'] || usualPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    const found = `LIMINAL_PORT is "${env['LIMINAL_PORT']}"`;
    return { check: 'port', ok: false, found, fix: 'Set it to a number from 0 to 65535, or unset it.' };
  }
  const isFree = await new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  const fix = 'Stop the program that uses it, or choose another: `liminal start --port 0` picks a free one.';
  const found = `${port} is ${isFree ? 'free' : 'used by another program'}`;
  return { check: 'port', ok: isFree, found, ...(isFree ? {} : { fix }) };
}

async function checkServer(
  dataDir: string,
  client: Client | null,
  problem: string,
  env: NodeJS.ProcessEnv,
): Promise<Check[]> {
  const check = 'server';
  if (client === null) {
    if (runningServer(dataDir)) return [{ check, ok: false, found: problem, fix: 'Set LIMINAL_TOKEN, or restart it.' }];
    const stopped: Check = { check, ok: true, found: 'not running; `liminal start` starts it' };
    const fix = 'Start the server, then run `liminal doctor` again.';
    const agents: Check = {
      check: 'agents',
      ok: false,
      optional: true,
      found: "not checked, because the server isn't running",
      fix,
    };
    return [stopped, await checkPort(env), agents];
  }
  const reply = await client.workbench.providers();
  if (!reply.ok) return [{ check, ok: false, found: visible(reply.failure.message), fix: 'Restart it.' }];
  const agents = reply.value.providers.map((agent) => checkAgent(agent, env));
  return [{ check, ok: true, found: `running at ${client.address.href}` }, ...agents];
}

function markOf({ ok, optional }: Check, colours: Colours): string {
  if (ok) return colours.green('ok ');
  return optional ? colours.dim('-- ') : colours.red('FIX');
}

/** An agent that can't start here, other than the most common ones. */
const isAbsentAgent = ({ check, ok, optional, fix }: Check): boolean =>
  check.startsWith('agent ') && !ok && optional === true && fix === undefined && !/claude-code|codex$/.test(check);

/** Checks the most common problems, and says what to do. */
export const run: Run = async ({ terminal, flag, env }) => {
  const dataDir = dataDirOf(flag('data-dir'), env);
  const found = findServer(flag('data-dir'), env);
  const checks = [
    checkNode(),
    await checkGit(),
    checkDataDir(dataDir),
    checkDisk(dataDir),
    checkWatches(),
    ...(await checkServer(dataDir, found.ok ? connect(found.value) : null, found.ok ? '' : found.failure.message, env)),
  ].filter((check) => check !== null);
  const { colours } = terminal;
  // Don't list the reasons of many uninstalled agents.
  const absent = checks.filter(isAbsentAgent);
  const isShort = !terminal.isJson && absent.length > 2;
  for (const each of checks.filter((check) => !isShort || !isAbsentAgent(check))) {
    if (terminal.isJson) terminal.json(each);
    else terminal.line(`${markOf(each, colours)} ${each.check}: ${each.found}`);
    if (!terminal.isJson && each.fix !== undefined) terminal.line(`     ${each.fix}`);
  }
  if (isShort) {
    const names = absent.map(({ check }) => check.replace('agent ', ''));
    terminal.line(`${colours.dim('-- ')} ${names.length} agents aren't installed: ${names.join(', ')}`);
    terminal.line('     `liminal agents` shows how to install each.');
  }
  return checks.every(({ ok, optional }) => ok || optional) ? exitCodes.done : exitCodes.failed;
};
