import { useEffect, useState } from 'react';
import type { FoldersReply } from '@liminal/contracts';
import { splitPath } from '../../ui/folders/folder-path.ts';
import { useDirectory, useWorkbench } from './use-workbench.ts';

export type Folders = Pick<FoldersReply, 'path' | 'parent' | 'home' | 'recent' | 'truncated'> & {
  readonly names: readonly string[];
};

/** The folders that match the input; the last good answer stays until the next, so the list doesn't flicker. */
export function useFolders(typed: string): Folders | null {
  const { api } = useWorkbench();
  const { projects } = useDirectory();
  const [folders, setFolders] = useState<Folders | null>(null);
  const { folder, prefix } = splitPath(typed);
  useEffect(() => {
    const asked = new AbortController();
    void api.workbench.folders({ path: folder, prefix }, { signal: asked.signal }).then((reply) => {
      if (asked.signal.aborted) return;
      if (!reply.ok) return setFolders((held) => (held === null ? null : { ...held, names: [] }));
      setFolders({ ...reply.value, names: reply.value.folders.map((each) => each.name) });
    });
    return () => asked.abort();
  }, [api, folder, prefix]);
  // Folders that already are projects aren't offered as recent ones.
  const listed = new Set(projects.map((project) => project.dir));
  return folders && { ...folders, recent: folders.recent.filter((dir) => !listed.has(dir)) };
}
