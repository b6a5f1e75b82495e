import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentPackages, installArguments, isAddable } from '../base/agent-packages.ts';
import type { Invocation, Run } from '../base/command.ts';
import { type ExitCode, exitCodes } from '../base/exit-codes.ts';
import { dataDirOf } from '../base/server-access.ts';
import { visible } from '../base/terminal.ts';

/** Lists the agents of the server; those that can't start say why, and what to do. */
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

/** Installs an agent into the data directory, with the packages and the progress of npm. */
async function add({ terminal, args, flag, env }: Invocation): Promise<ExitCode> {
  const [verb, name = ''] = args;
  if (verb !== 'add' || !isAddable(name)) {
    const names = Object.keys(agentPackages).join(' or ');
    terminal.complain({ code: 'USAGE', message: `Use \`liminal agents add\` with ${names}.` });
    return exitCodes.usage;
  }
  const folder = join(dataDirOf(flag('data-dir'), env), 'agents');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Without it, npm would look for a project in the folders above.
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  terminal.note(`Installing ${name} into ${folder}. It is some hundred megabytes.`);
  const npm = spawn('npm', installArguments(name, folder), { env, stdio: ['ignore', 2, 2] });
  const failure = once(npm, 'error').then(([error]) => String((error as Error).message));
  const code = await Promise.race([once(npm, 'close').then(([exit]) => exit as number | null), failure]);
  if (code !== 0) {
    const reason = typeof code === 'string' ? `npm can't be started (${code})` : 'npm failed; its message is above';
    terminal.complain({ code: 'INSTALL_FAILED', message: `${name} wasn't installed: ${reason}.` });
    return exitCodes.failed;
  }
  if (terminal.isJson) terminal.json({ agent: name, folder });
  else terminal.line(`Installed ${name}. Restart Liminal Builder to use it.`);
  return exitCodes.done;
}
