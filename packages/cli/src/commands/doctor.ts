import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@liminal/client/connect';
import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { dataDirOf, openClient, runningServer } from '../base/server-access.ts';
import { type Colours, visible } from '../base/terminal.ts';

/** One thing that was looked at: what was found, and what to do where it is wrong. */
type Check = {
  readonly check: string;
  readonly ok: boolean;
  readonly found: string;
  readonly fix?: string;
  /** Nobody needs it: without it, all is well. */
  readonly optional?: true;
};

const leastNode = 20;
const leastFree = 1024 ** 3;
const leastWatches = 65_536;

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
  return { check: 'disk', ok, found, ...(ok ? {} : { fix: 'Make room: sessions can’t be saved on a full disk.' }) };
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

async function checkServer(dataDir: string, client: Client | null, problem: string): Promise<Check[]> {
  const check = 'server';
  if (client === null) {
    return [{ check, ok: true, found: runningServer(dataDir) ? problem : 'not running; `liminal start` starts it' }];
  }
  const reply = await client.workbench.providers();
  if (!reply.ok) return [{ check, ok: false, found: visible(reply.failure.message), fix: 'Restart it.' }];
  const agents = reply.value.providers.map(({ name, cliType, available, reason }): Check => ({
    check: `agent ${cliType}`,
    // Nobody needs every agent.
    ok: true,
    found: available ? `${name} is ready` : visible(reason ?? `${name} can't start`),
  }));
  return [{ check, ok: true, found: `running at ${client.address.href}` }, ...agents];
}

function markOf({ ok, optional }: Check, colours: Colours): string {
  if (ok) return colours.green('ok ');
  return optional ? colours.dim('-- ') : colours.red('FIX');
}

/** Looks at what most often goes wrong, and says what to do. */
export const run: Run = async ({ terminal, flag, env }) => {
  const dataDir = dataDirOf(flag('data-dir'), env);
  const opened = openClient(flag('data-dir'), env);
  const checks = [
    checkNode(),
    await checkGit(),
    checkDataDir(dataDir),
    checkDisk(dataDir),
    checkWatches(),
    ...(await checkServer(dataDir, opened.ok ? opened.value : null, opened.ok ? '' : opened.failure.message)),
  ].filter((check) => check !== null);
  const { colours } = terminal;
  for (const each of checks) {
    if (terminal.isJson) terminal.json(each);
    else terminal.line(`${markOf(each, colours)} ${each.check}: ${each.found}`);
    if (!terminal.isJson && each.fix !== undefined) terminal.line(`     ${each.fix}`);
  }
  return checks.every(({ ok, optional }) => ok || optional) ? exitCodes.done : exitCodes.failed;
};
