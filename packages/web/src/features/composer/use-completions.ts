import { useEffect, useState } from 'react';
import { useInfo, useSession } from '../../state/sessions/use-session.ts';
import { useWorktreeId } from '../../state/sessions/use-worktree-id.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { fittingCommands, mentionOf, type Trigger } from './find-trigger.ts';

const mostFiles = 12;

export type Completion = {
  readonly key: string;
  /** The text to insert. */
  readonly text: string;
  readonly name: string;
  readonly note: string;
  /** The file it mentions, if it is one. */
  readonly path?: string;
};

/** A query and its result, so results for older text aren't shown. */
type Found = { readonly query: string; readonly files: readonly Completion[] };

/** Completions for the text so far: the agent's commands, or files of the session's folder. */
export function useCompletions(trigger: Trigger | null): readonly Completion[] {
  const { projectId } = useSession();
  const worktreeId = useWorktreeId();
  const { api } = useWorkbench();
  const { commands = [] } = useInfo();
  const [found, setFound] = useState<Found>({ query: '', files: [] });
  const query = trigger?.kind === 'file' ? trigger.query : null;

  useEffect(() => {
    if (query === null || projectId === '') return undefined;
    const asked = new AbortController();
    const sought = { q: query, limit: mostFiles, ...(worktreeId !== undefined && { worktreeId }) };
    void api.project.files(projectId, sought, { signal: asked.signal }).then((reply) => {
      if (asked.signal.aborted) return;
      const files = reply.ok ? reply.value.files.map(({ path, kind }) => fileCompletion(path, kind)) : [];
      setFound({ query, files });
    });
    return () => asked.abort();
  }, [api, query, projectId, worktreeId]);

  if (trigger === null) return [];
  // The last result stays until the next arrives: a list that flickers at every key can't be read.
  if (trigger.kind === 'file') return found.files;
  return fittingCommands(commands, trigger.query).map(({ name, description = '', hint = '' }) => ({
    key: name,
    text: `/${name}`,
    name: `/${name}`,
    note: [hint === '' ? '' : `[${hint}]`, description].filter((part) => part !== '').join(' '),
  }));
}

function fileCompletion(path: string, kind: 'file' | 'folder'): Completion {
  const shown = kind === 'folder' && !path.endsWith('/') ? `${path}/` : path;
  return { key: path, text: mentionOf(shown), name: shown, note: '', path };
}
