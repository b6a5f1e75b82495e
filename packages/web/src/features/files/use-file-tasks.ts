import { useState } from 'react';
import type { TreeEntry } from '@liminal/contracts';
import { fencedCode } from '@liminal/domain/text/fenced-code';
import { folderListing } from '../../state/files/folder-listing.ts';
import type { TreeStore } from '../../state/files/tree-store.ts';
import { editorAddress, editorCommand } from '../../state/layout/editor-store.ts';
import { fileTab } from '../../state/layout/tab-id.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import type { MenuItem } from '../../ui/menu.tsx';

/** A path the user is asked for. */
export type AskedPath = { readonly kind: 'new' | 'move'; readonly from: string };
/** The result of the last action; a deletion can be undone. */
export type FileOutcome = { readonly text: string; readonly undoId?: string };

type FileTasksDeps = {
  readonly tree: TreeStore;
  readonly sessionId: string;
  readonly projectId: string;
  readonly worktreeId: string | undefined;
  /** The folder of the session. */
  readonly root: string;
};

/** The actions on the files and folders of a tree. */
export function useFileTasks({ tree, sessionId, projectId, worktreeId, root }: FileTasksDeps) {
  const { api, editor, fileMoves, fileViews, panels, tabs, terminals } = useWorkbench();
  const [asked, setAsked] = useState<AskedPath | null>(null);
  const [outcome, setOutcome] = useState<FileOutcome | null>(null);
  const place = worktreeId === undefined ? {} : { worktreeId };
  const say = (text: string): void => setOutcome({ text });

  /** Creates or moves a file. Returns an error message, or null on success. */
  const answer = async (path: string): Promise<string | null> => {
    if (asked === null) return null;
    const to = path.trim().replace(/^(\.?\/)+/, '');
    if (to === '' || to.endsWith('/')) return 'Enter a file name.';
    const reply =
      asked.kind === 'new'
        ? await api.file.save(projectId, { path: to, ...place }, { content: '' }, { headers: { 'If-None-Match': '*' } })
        : await fileMoves.move({ projectId, worktreeId }, asked.from, to);
    if (!reply.ok)
      return reply.failure.code === 'FILE_CHANGED' ? `A file named "${to}" already exists.` : reply.failure.message;
    if (asked.kind === 'new') fileViews.open(sessionId, { path: to });
    else fileViews.moved(sessionId, asked.from, to);
    setAsked(null);
    setOutcome(null);
    await tree.reveal(to);
    await tree.refresh();
    return null;
  };
  const remove = async (path: string): Promise<void> => {
    const reply = await api.file.remove(projectId, { path, ...place });
    if (!reply.ok) return say(reply.failure.message);
    setOutcome({ text: `Deleted ${path}.`, undoId: reply.value.undoId });
    fileViews.removed(sessionId, path);
    return tree.refresh();
  };
  const undo = async (undoId: string): Promise<void> => {
    const reply = await api.file.restore(projectId, { undoId, ...place });
    setOutcome(reply.ok ? null : { text: reply.failure.message });
    await tree.refresh();
  };
  const addListing = async (path: string): Promise<void> => {
    const lines = await folderListing({ api: api.file, projectId, worktreeId }, path);
    panels.insert.set({
      sessionId,
      text: `Files in ${path === '' ? 'the project' : `${path}/`}:\n${fencedCode(lines)}\n`,
    });
  };
  const openInEditor = (path: string): void => {
    const { name, command } = editor.get();
    const at = { path: `${root}/${path}` };
    const address = editorAddress(name, at);
    if (address !== null) location.assign(address);
    else void terminals.open(projectId, { command: editorCommand(command, at), title: 'Editor', worktreeId });
  };
  const copy = (path: string): void =>
    void navigator.clipboard.writeText(path).then(
      () => say(`Copied ${path}`),
      () => say("Couldn't copy. The browser blocked it."),
    );

  const itemsOf = ({ path, kind }: Pick<TreeEntry, 'path' | 'kind'>): MenuItem[] => {
    const isFolder = kind === 'folder';
    const folder = isFolder ? path : path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const ofFile: MenuItem[] = [
      { label: 'Open in new tab', hint: 'Ctrl+Enter', onChoose: () => tabs.show(fileTab(sessionId, path), sessionId) },
      { label: 'Open beside', onChoose: () => tabs.showBeside(fileTab(sessionId, path)) },
      { label: 'Add to message', onChoose: () => panels.insert.set({ sessionId, text: `@${path} ` }) },
      { label: 'Open in editor', onChoose: () => openInEditor(path) },
    ];
    return [
      ...(isFolder ? [{ label: 'Add folder listing to message', onChoose: () => void addListing(path) }] : ofFile),
      {
        label: 'New file…',
        onChoose: () => setAsked({ kind: 'new', from: folder === '' ? '' : `${folder}/` }),
      },
      { label: 'Copy path', onChoose: () => copy(path === '' ? root : `${root}/${path}`) },
      ...(path === ''
        ? []
        : [
            { label: 'Copy relative path', onChoose: () => copy(path) },
            { label: 'Rename or move…', hint: 'F2', onChoose: () => setAsked({ kind: 'move', from: path }) },
            { label: 'Delete', hint: 'Del', danger: true, onChoose: () => void remove(path) },
          ]),
    ];
  };
  return {
    asked,
    ask: setAsked,
    answer,
    outcome,
    dismiss: (): void => setOutcome(null),
    undo,
    remove,
    itemsOf,
  };
}
