import { lstat, readdir } from 'node:fs/promises';
import { fail, ok, type Result, type TreeEntry, type TreeReply } from '@liminal/contracts';
import { findInside, slashed } from './find-inside.ts';
import { fileFailure, openFolder } from './open-folder.ts';

/** Git's view of a folder's files. Used only in trusted folders. */
export type TreeMarks = {
  /** Which of these paths git ignores. */
  ignored(folder: string, paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** The changes since the last commit, by path. */
  changes(folder: string): Promise<ReadonlyMap<string, NonNullable<TreeEntry['change']>>>;
};

const mostEntries = 10_000;

/** Lists one folder of a project: folders first, then files, by name. Leaves out `.git`. */
export async function listTree(folder: string, path: string, marks: TreeMarks | null): Promise<Result<TreeReply>> {
  const found = await findInside(folder, path === '' ? '.' : path);
  if (!found.ok) return found;
  const { root, way } = found.value;
  try {
    const opened = await openFolder(root, way);
    try {
      const names = await readdir(opened.at('.'), { withFileTypes: true });
      const shown = names.filter(({ name }) => name !== '.git');
      const kept = shown.slice(0, mostEntries);
      const entries = await Promise.all(
        kept.map(async (entry): Promise<TreeEntry> => {
          const kind = entry.isDirectory()
            ? 'folder'
            : entry.isFile()
              ? 'file'
              : entry.isSymbolicLink()
                ? 'link'
                : 'other';
          const size =
            kind === 'file'
              ? await lstat(opened.at(entry.name)).then(
                  (about) => about.size,
                  () => 0,
                )
              : undefined;
          const whole = way === '' ? entry.name : `${slashed(way)}/${entry.name}`;
          return { name: entry.name, path: whole, kind, ...(size !== undefined && { size }) };
        }),
      );
      const marked = marks === null ? entries : await mark(root, entries, marks);
      return ok({ entries: marked.toSorted(byKindAndName), truncated: shown.length > kept.length });
    } finally {
      await opened.close();
    }
  } catch (error) {
    const failure = fileFailure(error, path);
    return failure.ok || failure.failure.code !== 'FILE_NOT_FOUND'
      ? failure
      : fail('FILE_NOT_FOUND', `This project has no folder "${path}".`);
  }
}

async function mark(root: string, entries: readonly TreeEntry[], marks: TreeMarks): Promise<TreeEntry[]> {
  const [ignored, changes] = await Promise.all([
    marks.ignored(
      root,
      entries.map((entry) => entry.path),
    ),
    marks.changes(root),
  ]);
  const folders = new Set<string>();
  for (const path of changes.keys())
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) folders.add(path.slice(0, end));
  return entries.map((entry) => {
    const change = changes.get(entry.path) ?? (folders.has(entry.path) ? 'modified' : undefined);
    return { ...entry, ignored: ignored.has(entry.path), ...(change && { change }) };
  });
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const byKindAndName = (a: TreeEntry, b: TreeEntry): number =>
  Number(b.kind === 'folder') - Number(a.kind === 'folder') || collator.compare(a.name, b.name);
