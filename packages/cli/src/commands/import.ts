import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SessionExport } from '@liminal/contracts';
import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';

/** Imports a session that was exported as JSON. */
export const run: Run = async ({ terminal, args, flag, cwd, client: open }) => {
  const [file = ''] = args;
  let exported: ReturnType<typeof SessionExport.safeParse>;
  try {
    exported = SessionExport.safeParse(JSON.parse(readFileSync(resolve(cwd, file), 'utf8')));
  } catch (error) {
    terminal.complain({ code: 'NOT_READ', message: `${file} can't be read: ${(error as Error).message}` });
    return exitCodes.failed;
  }
  if (!exported.success) {
    const message = `${file} isn't a session that \`liminal export --format json\` wrote.`;
    terminal.complain({ code: 'NOT_READ', message });
    return exitCodes.failed;
  }
  const client = await open();
  if (!client) return exitCodes.failed;
  const project = await client.project.add({ dir: resolve(cwd, flag('project') ?? '.') });
  const imported = project.ok ? await client.project.importSession(project.value.projectId, exported.data) : project;
  if (!imported.ok) {
    terminal.complain(imported.failure);
    return exitCodes.failed;
  }
  const { sessionId, cliType, projectId } = imported.value;
  if (terminal.isJson) terminal.json({ sessionId, cliType, projectId });
  else terminal.line(sessionId);
  return exitCodes.done;
};
