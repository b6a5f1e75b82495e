import { realpathSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { ancestors } from '../base/ancestors.ts';
import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { isInsideAgent } from '../base/inside-agent.ts';

/** Serves an agent on standard input and output until it closes them. */
export const run: Run = async ({ terminal, flag, env, cwd, client: open }) => {
  const client = await open();
  if (!client) return exitCodes.failed;
  let folders: string[];
  try {
    folders = (flag('project') ?? '.').split(delimiter).map((folder) => realpathSync(resolve(cwd, folder)));
  } catch (error) {
    terminal.complain({ code: 'USAGE', message: `A folder in --project doesn't exist: ${(error as Error).message}` });
    return exitCodes.usage;
  }
  const [{ createTools }, { serveTools }] = await Promise.all([
    import('../mcp/tools.ts'),
    import('../mcp/mcp-server.ts'),
  ]);
  await serveTools(createTools({ client, folders, processes: ancestors(), insideAgent: isInsideAgent(env) }));
  return exitCodes.done;
};
