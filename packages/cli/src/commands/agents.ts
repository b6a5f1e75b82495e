import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addableAgents, addableName, planInstall } from '@liminal/domain/agents/addable-agents';
import type { Invocation, Run } from '../base/command.ts';
import { type ExitCode, exitCodes } from '../base/exit-codes.ts';
import { dataDirOf } from '../base/server-access.ts';
import { visible } from '../base/terminal.ts';

/** Lists the server's agents. Those that can't start say why and what to do. */
export const run: Run = async (invocation) => {
  const { terminal, args, client: open } = invocation;
  if (args.length > 0) return add(invocation);
  const client = await open();
  if (!client) return exitCodes.failed;
  const reply = await client.workbench.providers();
  if (!reply.ok) {
    terminal.complain(reply.failure);
    return exitCodes.failed;
  }
  const { colours, isPerson } = terminal;
  const agents = reply.value.providers.toSorted((a, b) => Number(b.available) - Number(a.available));
  const width = Math.max(0, ...agents.map(({ cliType }) => cliType.length));
  for (const agent of agents) {
    const { cliType, name, available, reason = '' } = agent;
    const state = available ? 'ready' : 'unavailable';
    if (terminal.isJson) terminal.json(agent);
    else if (!isPerson) terminal.line([cliType, state, name, visible(reason)].join('\t'));
    else {
      const paint = available ? colours.green : colours.dim;
      terminal.line(`${colours.bold(cliType.padEnd(width))}  ${paint(state.padEnd(11))}  ${name}`);
      if (reason !== '') terminal.line(colours.dim(`${' '.repeat(width)}  ${visible(reason)}`));
    }
  }
  return exitCodes.done;
};

/** Installs an agent into the data directory and shows npm's progress. */
async function add({ terminal, args, flag, env }: Invocation): Promise<ExitCode> {
  const [verb, given = ''] = args;
  const name = verb === 'add' ? addableName(given) : undefined;
  if (name === undefined) {
    const names = Object.keys(addableAgents).join(' or ');
    terminal.complain({ code: 'USAGE', message: `Use \`liminal agents add\` with ${names}.` });
    return exitCodes.usage;
  }
  const plan = planInstall(name, dataDirOf(flag('data-dir'), env), { by: 'command' });
  const failed = (reason: string): ExitCode => {
    terminal.complain({ code: 'INSTALL_FAILED', message: `${addableAgents[name].name} wasn't installed: ${reason}` });
    return exitCodes.failed;
  };
  try {
    rmSync(plan.staging, { recursive: true, force: true });
    mkdirSync(plan.staging, { recursive: true, mode: 0o700 });
    writeFileSync(join(plan.staging, 'package.json'), plan.manifest);
  } catch (error) {
    return failed(`${plan.staging} can't be written (${(error as Error).message}). Check its permissions.`);
  }
  terminal.note(`Installing ${name} into ${plan.folder}. It is about ${addableAgents[name].megabytes} MB.`);
  const npm = spawn('npm', [...plan.args], { env, stdio: ['ignore', 2, 2] });
  const failure = once(npm, 'error').then(([error]) => String((error as Error).message));
  const code = await Promise.race([once(npm, 'close').then(([exit]) => exit as number | null), failure]);
  if (code !== 0) {
    rmSync(plan.staging, { recursive: true, force: true });
    return failed(
      typeof code === 'string'
        ? `npm can't be started (${code}). Install Node.js with npm, then try again.`
        : 'npm failed; its message is above.',
    );
  }
  rmSync(plan.folder, { recursive: true, force: true });
  renameSync(plan.staging, plan.folder);
  if (terminal.isJson) terminal.json({ agent: name, folder: plan.folder });
  else terminal.line(`Installed ${name}. You can use it now.`);
  return exitCodes.done;
}
