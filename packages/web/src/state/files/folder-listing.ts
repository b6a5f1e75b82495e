import type { RouteCalls } from '@liminal/client/call-routes';
import type { TreeEntry } from '@liminal/contracts';

type FolderListingDeps = {
  readonly api: Pick<RouteCalls['file'], 'tree'>;
  readonly projectId: string;
  readonly worktreeId?: string | undefined;
};

/** Enough names for an agent to orient itself; it can look up the rest. */
const mostNames = 400;

/** The contents of a folder and its subfolders as indented lines, nearest folders first, without ignored files. */
export async function folderListing(deps: FolderListingDeps, folder: string): Promise<string> {
  const { api, projectId, worktreeId } = deps;
  const listed = new Map<string, readonly TreeEntry[]>();
  const waiting = [folder];
  let count = 0;
  let isCut = false;
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (count >= mostNames) {
      isCut = true;
      break;
    }
    const reply = await api.tree(projectId, { path, ...(worktreeId !== undefined && { worktreeId }) });
    if (!reply.ok) continue;
    const entries = reply.value.entries.filter(({ ignored }) => ignored !== true);
    const shown = entries.slice(0, mostNames - count);
    isCut ||= shown.length < entries.length || reply.value.truncated;
    count += shown.length;
    listed.set(path, shown);
    waiting.push(...shown.filter(({ kind }) => kind === 'folder').map((entry) => entry.path));
  }
  const lines = (path: string, depth: number): string[] =>
    (listed.get(path) ?? []).flatMap((entry) => [
      `${'  '.repeat(depth)}${entry.name}${entry.kind === 'folder' ? '/' : ''}`,
      ...lines(entry.path, depth + 1),
    ]);
  return [...lines(folder, 0), ...(isCut ? ['…'] : [])].join('\n');
}
