import type { FileDiff, PermissionRequest } from '@liminal/contracts';
import { shortPath } from '../../ui/folders/folder-path.ts';
import { plural } from '../../ui/format.ts';
import { commandOf } from './asked.ts';

/** What will happen, in a few words; `code` is the command or path in it. */
export type RequestTitle = { readonly text: string; readonly code: string };

const shells = new Set([
  'bash',
  'shell',
  'execute',
  'exec',
  'exec_command',
  'local_shell',
  'run',
  'run_command',
  'run_shell_command',
  'terminal',
  'execute command',
]);
/** Names of tools that write files, which the title already says. */
const fileTool = /^((multi|notebook|str_?)?(edit|write|create|replace|patch|apply_patch)(ing)?[ _-]?(files?|editor)?)$/;
const sayingTools = new Set(['agent', 'task']);

/** Whether the title already says what the tool does, so its name adds nothing. */
export function isToolSaid({ toolName = '', diffs = [], ...request }: PermissionRequest): boolean {
  const name = toolName.toLowerCase();
  if (commandOf({ toolName, diffs, ...request }) !== undefined) return shells.has(name);
  return diffs.length > 0 ? fileTool.test(name) : sayingTools.has(name);
}

/** The title of a request. Names a command only if that covers everything it runs; marks omissions. */
export function requestTitle(request: PermissionRequest, projectDir: string): RequestTitle {
  const { kind, title, diffs = [], toolName } = request;
  const only = (text: string): RequestTitle => ({ text, code: '' });
  if (kind !== 'tool') return only(title);
  const command = commandOf(request);
  if (command !== undefined) return commandTitle(command);
  if (diffs.length > 0) return changeTitle(diffs, projectDir);
  return only(title === toolName ? `Use ${title}?` : title);
}

/** Syntax that can make a command do more than its first words. */
const compound = /[;&|<>`$(){}\n\\]|\s#/;
const mostWords = 2;
const mostCharacters = 48;
/** Only characters that can't be mistaken for others. */
const plainWord = /^[\w:.,=@+%~/-]+$/;

function commandTitle(command: string): RequestTitle {
  const lines = command.trim().split('\n').length;
  if (lines > 1) return { text: `Run a script of ${lines} lines`, code: '' };
  const words = command.trim().split(/\s+/);
  const isPlain = !compound.test(command) && /^[\w./-]+$/.test(words[0] ?? '') && (words[0] ?? '').length < 40;
  if (!isPlain) return { text: 'Run this command', code: '' };
  const whole = words.join(' ');
  if (whole.length <= mostCharacters && words.every((word) => plainWord.test(word)))
    return { text: 'Run', code: whole };
  const named = words.slice(0, mostWords).filter((word, index) => index === 0 || /^[\w:.-]{1,30}$/.test(word));
  return { text: 'Run', code: `${named.join(' ')} …` };
}

function changeTitle(diffs: readonly FileDiff[], projectDir: string): RequestTitle {
  const paths = [...new Set(diffs.map(({ path }) => path))];
  const isNew = diffs.every(({ oldText, overwrites }) => oldText === null && overwrites !== true);
  if (paths.length > 1) return { text: `${isNew ? 'Create' : 'Edit'} ${plural(paths.length, 'file')}`, code: '' };
  const verb = isNew ? 'Create' : diffs.some(({ overwrites }) => overwrites === true) ? 'Replace' : 'Edit';
  return { text: verb, code: shortPath(paths[0] ?? '', projectDir) };
}
