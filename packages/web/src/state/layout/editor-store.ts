import type { Storage } from '../../browser/storage.ts';
import { createCell, type Cell } from '../base/cell.ts';

export const editors = [
  ['vscode', 'VS Code'],
  ['cursor', 'Cursor'],
  ['zed', 'Zed'],
  ['command', 'Custom command'],
] as const;
export type EditorName = (typeof editors)[number][0];

/** The user's own editor. `command` runs on the server's machine; the others are URLs this browser opens. */
export type EditorChoice = { readonly name: EditorName; readonly command: string };

const key = 'liminal.editor';
const usual: EditorChoice = { name: 'vscode', command: 'code --goto {path}:{line}:{column}' };

/** Which editor this browser opens files in. */
export function createEditorStore(storage: Storage): Cell<EditorChoice> {
  const [kept, ...command] = (storage.read(key) ?? '').split(' ');
  const name = editors.find(([each]) => each === kept)?.[0] ?? usual.name;
  const cell = createCell<EditorChoice>({ name, command: command.join(' ') || usual.command });
  cell.subscribe(() => storage.write(key, `${cell.get().name} ${cell.get().command}`));
  return cell;
}

type Place = { readonly path: string; readonly line?: number | undefined; readonly column?: number | undefined };

/** A URL that opens a file in an editor; null for one that is started by a command. `path` is absolute. */
export function editorAddress(name: EditorName, { path, line = 1, column = 1 }: Place): string | null {
  // A colon or a question mark in the name would end the path early.
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return name === 'command' ? null : `${name}://file${encoded}:${line}:${column}`;
}

/** The command line that starts an editor. A file name is never more than one argument. */
export const editorCommand = (template: string, { path, line = 1, column = 1 }: Place): string =>
  template
    .replaceAll('{line}', String(line))
    .replaceAll('{column}', String(column))
    .replaceAll('{path}', () => `'${path.replaceAll("'", `'\\''`)}'`);
