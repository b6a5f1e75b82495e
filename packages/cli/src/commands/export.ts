import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExportFormat } from '@liminal/contracts';
import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { findSession } from '../base/find-session.ts';
import { visible } from '../base/terminal.ts';

/** Writes a whole session as one file, or to standard output. */
export const run: Run = async ({ terminal, args, flag, cwd, client: open }) => {
  const format = ExportFormat.safeParse(terminal.isJson ? 'json' : (flag('format') ?? 'md'));
  if (!format.success) {
    terminal.complain({ code: 'USAGE', message: `--format is one of ${ExportFormat.options.join(', ')}.` });
    return exitCodes.usage;
  }
  const client = await open();
  if (!client) return exitCodes.failed;
  const found = await findSession(client, args[0] ?? '');
  const exported = found.ok ? await client.session.export(found.value, { format: format.data }) : found;
  if (!exported.ok) {
    terminal.complain(exported.failure);
    return exitCodes.failed;
  }
  const file = flag('output');
  if (file === undefined) {
    if (terminal.isJson) terminal.json(JSON.parse(exported.value) as object);
    // A file gets the agent's exact output, but a terminal must not interpret it.
    else terminal.write(terminal.isPerson ? visible(exported.value) : exported.value);
    return exitCodes.done;
  }
  try {
    writeFileSync(resolve(cwd, file), exported.value, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? `${file} already exists. Choose another name.` : `${file}: ${message}`;
    terminal.complain({ code: 'NOT_WRITTEN', message: reason });
    return exitCodes.failed;
  }
  return exitCodes.done;
};
