import { ChangeScope } from '@liminal/contracts';
import type { Run } from '../base/command.ts';
import { exitCodes } from '../base/exit-codes.ts';
import { findSession } from '../base/find-session.ts';
import { visible } from '../base/terminal.ts';

/** Lists the changes in a session's folder, or prints the patch of one file. */
export const run: Run = async ({ terminal, args, flag, client: open }) => {
  const [given = '', path] = args;
  const scope = ChangeScope.safeParse(flag('scope') ?? 'uncommitted');
  if (!scope.success) {
    terminal.complain({ code: 'USAGE', message: `--scope is one of ${ChangeScope.options.join(', ')}.` });
    return exitCodes.usage;
  }
  const client = await open();
  if (!client) return exitCodes.failed;
  const found = await findSession(client, given);
  if (!found.ok) {
    terminal.complain(found.failure);
    return exitCodes.failed;
  }
  const query = { scope: scope.data };
  const reply =
    path === undefined
      ? await client.session.changes(found.value, query)
      : await client.session.changedFile(found.value, { ...query, path });
  if (!reply.ok) {
    terminal.complain(reply.failure);
    return exitCodes.failed;
  }
  if ('patch' in reply.value || path !== undefined) {
    if (terminal.isJson) terminal.json(reply.value);
    else terminal.write(visible((reply.value as { patch?: string }).patch ?? ''));
    return exitCodes.done;
  }
  const changes = reply.value as Extract<typeof reply.value, { files: unknown }>;
  for (const notice of changes.notices) terminal.note(notice.message);
  for (const file of changes.files) {
    if (terminal.isJson) terminal.json(file);
    else
      terminal.line(
        [file.change, `+${file.additions ?? '?'}`, `-${file.deletions ?? '?'}`, visible(file.path)].join('\t'),
      );
  }
  if (changes.files.length === 0) terminal.note('Nothing changed.');
  return exitCodes.done;
};
