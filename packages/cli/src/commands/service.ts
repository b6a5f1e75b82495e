import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname } from 'node:path';
import type { Invocation, Run } from '../base/command.ts';
import { type ExitCode, exitCodes } from '../base/exit-codes.ts';
import { dataDirOf, runningServer } from '../base/server-access.ts';
import { servicePlan, type ServicePlan } from '../base/service-plan.ts';
import { awaitServer, launcher } from '../base/start-server.ts';

type Step = { readonly ok: boolean; readonly message: string };

/** Runs the commands of a plan until one fails. */
function perform(commands: readonly (readonly string[])[]): Step {
  for (const [program = '', ...args] of commands) {
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
    const reason = error?.message ?? stderr?.trim();
    if (status !== 0) return { ok: false, message: `\`${[program, ...args].join(' ')}\` failed. ${reason}`.trim() };
  }
  return { ok: true, message: '' };
}

async function install({ terminal, has }: Invocation, plan: ServicePlan, dataDir: string): Promise<ExitCode> {
  const { file, content, replace, install: commands } = plan;
  const failed = (code: string, message: string): ExitCode => {
    terminal.complain({ code, message });
    return exitCodes.failed;
  };
  if (has('dry-run')) {
    if (terminal.isJson) terminal.json({ file, content, commands });
    else terminal.write(`${file}:\n\n${content}\nThen:\n${commands.map((words) => `  ${words.join(' ')}\n`).join('')}`);
    return exitCodes.done;
  }
  if (launcher().includes('/_npx/')) {
    const message = 'A service needs a permanent installation. Run `npm install --global liminal-builder` first.';
    return failed('NOT_INSTALLED', message);
  }
  const other = runningServer(dataDir);
  if (other !== null && !perform([plan.status]).ok) {
    const message = `A server is already running with the data directory ${dataDir} (process ${other.pid}). Stop it, then run this again.`;
    return failed('ALREADY_RUNNING', message);
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  } catch (error) {
    return failed('SERVICE_FAILED', `${file} can't be written (${(error as Error).message}).`);
  }
  if (replace && perform([plan.status]).ok) perform([replace]);
  const done = perform(commands);
  if (!done.ok) return failed('SERVICE_FAILED', `Wrote ${file}, but ${done.message}`);
  // The system starts a service without waiting for the server, which may still fail, as when its port is used.
  if (!(await awaitServer(dataDir, () => !perform([plan.status]).ok))) {
    const message = `Wrote ${file}, but the server didn't start. Run \`liminal start --data-dir ${dataDir}\` to see why.`;
    return failed('SERVICE_FAILED', message);
  }
  if (terminal.isJson) terminal.json({ file, running: true });
  else terminal.line(`Liminal Builder now runs as a service (${file}). \`liminal token show\` prints its address.`);
  return exitCodes.done;
}

async function uninstall({ terminal, has }: Invocation, { file, uninstall: commands }: ServicePlan): Promise<ExitCode> {
  if (has('dry-run')) {
    if (terminal.isJson) terminal.json({ file, commands });
    else terminal.write(`${commands.map((words) => `${words.join(' ')}\n`).join('')}rm ${file}\n`);
    return exitCodes.done;
  }
  if (!existsSync(file)) {
    terminal.complain({ code: 'NOT_INSTALLED', message: `There is no service (${file}).` });
    return exitCodes.failed;
  }
  const done = perform(commands);
  rmSync(file, { force: true });
  if (!done.ok) {
    terminal.complain({ code: 'SERVICE_FAILED', message: `Removed ${file}, but ${done.message}` });
    return exitCodes.failed;
  }
  if (terminal.isJson) terminal.json({ file, running: false });
  else terminal.line(`Removed ${file}. Sessions and settings are kept.`);
  return exitCodes.done;
}

async function status({ terminal }: Invocation, { file, status: command }: ServicePlan): Promise<ExitCode> {
  const isInstalled = existsSync(file);
  const isRunning = isInstalled && perform([command]).ok;
  if (terminal.isJson) terminal.json({ file, installed: isInstalled, running: isRunning });
  else
    terminal.line(
      isRunning ? 'The service is running.' : isInstalled ? 'The service is not running.' : 'There is no service.',
    );
  return isRunning ? exitCodes.done : exitCodes.failed;
}

const verbs = { install, uninstall, status } as const;

/** Installs the server as a service of this user, which starts with the machine. */
export const run: Run = async (invocation) => {
  const { terminal, args, flag, env } = invocation;
  const verb = args[0] ?? '';
  const { platform, execPath: node } = process;
  const dataDir = dataDirOf(flag('data-dir'), env);
  const machine = { platform, home: homedir(), uid: userInfo().uid, node, launcher: launcher(), dataDir };
  const plan = servicePlan({ ...machine, path: env['PATH'] ?? '' });
  if (plan === null) {
    terminal.complain({ code: 'NOT_SUPPORTED', message: 'Services are supported on Linux (systemd) and macOS.' });
    return exitCodes.failed;
  }
  if (Object.hasOwn(verbs, verb)) return verbs[verb as keyof typeof verbs](invocation, plan, dataDir);
  terminal.complain({ code: 'USAGE', message: 'Use `liminal service` with install, status or uninstall.' });
  return exitCodes.usage;
};
