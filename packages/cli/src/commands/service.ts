import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname } from 'node:path';
import type { Invocation, Run } from '../base/command.ts';
import { type ExitCode, exitCodes } from '../base/exit-codes.ts';
import { dataDirOf } from '../base/server-access.ts';
import { servicePlan, type ServicePlan } from '../base/service-plan.ts';
import { launcher } from '../base/start-server.ts';

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

function install({ terminal, has }: Invocation, plan: ServicePlan): ExitCode {
  const { file, content, install: commands } = plan;
  if (has('dry-run')) {
    if (terminal.isJson) terminal.json({ file, content, commands });
    else terminal.write(`${file}:\n\n${content}\nThen:\n${commands.map((words) => `  ${words.join(' ')}\n`).join('')}`);
    return exitCodes.done;
  }
  if (launcher().includes('/_npx/')) {
    const message = 'A service needs a permanent installation. Run `npm install --global liminal-builder` first.';
    terminal.complain({ code: 'NOT_INSTALLED', message });
    return exitCodes.failed;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  const done = perform(commands);
  if (!done.ok) {
    terminal.complain({ code: 'SERVICE_FAILED', message: `Wrote ${file}, but ${done.message}` });
    return exitCodes.failed;
  }
  if (terminal.isJson) terminal.json({ file, running: true });
  else terminal.line(`Liminal Builder now runs as a service (${file}). \`liminal token show\` prints its address.`);
  return exitCodes.done;
}

function uninstall({ terminal, has }: Invocation, { file, uninstall: commands }: ServicePlan): ExitCode {
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

function status({ terminal }: Invocation, { file, status: command }: ServicePlan): ExitCode {
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
  if (Object.hasOwn(verbs, verb)) return verbs[verb as keyof typeof verbs](invocation, plan);
  terminal.complain({ code: 'USAGE', message: 'Use `liminal service` with install, status or uninstall.' });
  return exitCodes.usage;
};
