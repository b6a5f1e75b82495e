import type { ChangedFile } from '@liminal/contracts';

/** A row in the list of files. */
export type FileListRow =
  | { readonly kind: 'heading'; readonly key: string; readonly text: string }
  | { readonly kind: 'folder'; readonly key: string; readonly name: string; readonly depth: number }
  | {
      readonly kind: 'file';
      readonly key: string;
      readonly file: ChangedFile;
      readonly name: string;
      readonly folder: string;
      readonly depth: number;
    };

const lastSlash = (path: string): number => path.lastIndexOf('/') + 1;

/** Whether the path contains every word of the filter. */
function matchesFilter({ path, oldPath = '' }: ChangedFile, filter: string): boolean {
  const text = `${path} ${oldPath}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Files in reading order: conflicts first, then those of this session, each sorted by path. */
export function orderFiles(files: readonly ChangedFile[], filter: string): ChangedFile[] {
  const rank = ({ change, bySession }: ChangedFile): number => (change === 'conflicted' ? 0 : bySession ? 1 : 2);
  return files
    .filter((file) => matchesFilter(file, filter))
    .toSorted((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** The list on the left: flat with the folder after the name, or as a tree. */
export function listRows(files: readonly ChangedFile[], isTree: boolean): FileListRow[] {
  const own = files.filter(({ bySession, change }) => bySession || change === 'conflicted');
  const others = files.filter(({ bySession, change }) => !bySession && change !== 'conflicted');
  const rowsFor = isTree ? treeRows : flatRows;
  if (own.length === 0 || others.length === 0) return rowsFor(files, '');
  return [
    ...rowsFor(own, ''),
    { kind: 'heading', key: '#others', text: 'Not changed by this session' },
    ...rowsFor(others, '#'),
  ];
}

/** Without the contents of closed folders. A filter searches everywhere, so it ignores closed folders. */
export function openRows(rows: readonly FileListRow[], closed: ReadonlySet<string>): readonly FileListRow[] {
  if (closed.size === 0) return rows;
  let deepest = Infinity;
  return rows.filter((row) => {
    const depth = row.kind === 'heading' ? -1 : row.depth;
    if (depth > deepest) return false;
    deepest = row.kind === 'folder' && closed.has(row.key) ? depth : Infinity;
    return true;
  });
}

const flatRows = (files: readonly ChangedFile[]): FileListRow[] =>
  files.map((file) => ({
    kind: 'file',
    key: file.path,
    file,
    name: file.path.slice(lastSlash(file.path)),
    folder: file.path.slice(0, Math.max(0, lastSlash(file.path) - 1)),
    depth: 0,
  }));

/** A chain of folders that each contain only one folder becomes one row. */
function treeRows(files: readonly ChangedFile[], prefix: string): FileListRow[] {
  type Folder = { readonly folders: Map<string, Folder>; readonly files: ChangedFile[] };
  const create = (): Folder => ({ folders: new Map(), files: [] });
  const root = create();
  for (const file of files) {
    let at = root;
    for (const part of file.path.split('/').slice(0, -1)) {
      const inside = at.folders.get(part) ?? create();
      at.folders.set(part, inside);
      at = inside;
    }
    at.files.push(file);
  }
  const rows: FileListRow[] = [];
  const walk = (folder: Folder, path: string, depth: number): void => {
    for (const [part, inside] of folder.folders) {
      let [name, at] = [part, inside];
      for (let [only] = at.folders; at.files.length === 0 && at.folders.size === 1 && only; [only] = at.folders) {
        name = `${name}/${only[0]}`;
        at = only[1];
      }
      rows.push({ kind: 'folder', key: `${prefix}${path}${name}/`, name, depth });
      walk(at, `${path}${name}/`, depth + 1);
    }
    for (const file of folder.files)
      rows.push({
        kind: 'file',
        key: file.path,
        file,
        name: file.path.slice(lastSlash(file.path)),
        folder: '',
        depth,
      });
  };
  walk(root, '', 0);
  return rows;
}
