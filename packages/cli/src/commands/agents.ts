import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { visible } from '../base/terminal.ts';

/** Lists the agents of the server; those that can't start say why, and what to do. */
export const run: Run = async ({ terminal, client: open }) => {
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
