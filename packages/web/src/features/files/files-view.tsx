import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { fencedCode } from '@liminal/domain/text/fenced-code';
import { createFileStore, type FilePlace } from '../../state/files/file-store.ts';
import { createTreeStore } from '../../state/files/tree-store.ts';
import { fileTab } from '../../state/layout/tab-id.ts';
import { useFolderChanged, useRowsVersion, useRunningTurn, useSession } from '../../state/sessions/use-session.ts';
import { useCell, useDirectory, useDirectoryFact, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { type EditorHandle, FileEditor } from './file-editor.tsx';
import { FileHead } from './file-head.tsx';
import { FileSide } from './file-side.tsx';
import './files.css';

type FilesViewProps = {
  readonly tab: string;
  /** The open file; empty if none is open. */
  readonly path: string;
};

/** The files of a session's folder, once the folder is known. */
export default function FilesView(props: FilesViewProps): ReactNode {
  const { store, projectId } = useSession();
  const worktreeId = useDirectoryFact(({ sessions }) => sessions.get(store.sessionId)?.place?.worktreeId);
  if (projectId === '') return <section className="files" aria-busy="true" aria-label="Files" />;
  return <FolderView key={`${projectId} ${worktreeId ?? ''}`} {...props} />;
}

/** The tree, the search, and one open file. */
function FolderView({ tab, path }: FilesViewProps): ReactNode {
  const { store: session, projectId, projectDir } = useSession();
  const { api, failures, fileMoves, fileViews, panels, socket, storage, tabs } = useWorkbench();
  const { sessionId } = session;
  const place = useDirectory().sessions.get(sessionId)?.place;
  const worktreeId = place?.worktreeId;
  const root = place?.folder ?? projectDir;
  const [tree] = useState(() => createTreeStore(api.file, projectId, worktreeId));
  const [files] = useState(() =>
    createFileStore({ api: api.file, storage, moves: fileMoves, projectId, worktreeId, report: failures.report }),
  );
  const file = useCell(files.file);
  const sought = useCell(fileViews.sought);
  const lastPlace = useCell(files.sought);
  const editor = useRef<EditorHandle>(null);
  // Rows change when a tool call ends, which may have written the open file.
  const rows = useRowsVersion();
  const running = useRunningTurn()?.turnId;

  // Commands, other sessions and other programs can also write files.
  const changedAt = useFolderChanged()?.at;
  useEffect(() => {
    socket.watchChanges(sessionId, true);
    return () => socket.watchChanges(sessionId, false);
  }, [socket, sessionId]);
  useEffect(() => void files.refresh(), [files, rows, changedAt]);
  useEffect(() => void tree.refresh(), [tree, running, changedAt]);
  useEffect(() => {
    const onFocus = (): void => {
      void tree.refresh();
      void files.refresh();
    };
    addEventListener('focus', onFocus);
    return () => removeEventListener('focus', onFocus);
  }, [tree, files]);

  const go = useEffectEvent(() => {
    const isSought = sought?.tab === tab;
    if (isSought) fileViews.sought.set(null);
    if (path === '') return files.close();
    if (!isSought && file?.path === path) return;
    void files.open(isSought ? sought.place : { path });
    void tree.reveal(path);
  });
  useEffect(() => go(), [path, sought]);
  const isUnsaved = file !== null && file.path === path && file.edited !== null;
  useEffect(() => fileViews.setUnsaved(tab, isUnsaved), [fileViews, tab, isUnsaved]);

  const open = (next: FilePlace, isNewTab = false): void => {
    const target = fileTab(sessionId, next.path);
    if (next.line !== undefined) fileViews.sought.set({ tab: target, place: next });
    if (isNewTab) tabs.show(target, tab);
    else fileViews.goTo(tab, next.path);
  };
  const addToMessage = (): void => {
    if (file === null) return;
    const chosen = editor.current?.selection() ?? null;
    const lines = chosen === null ? '' : `:${chosen.from}${chosen.to > chosen.from ? `-${chosen.to}` : ''}`;
    const quoted = chosen === null ? '' : `\n${fencedCode(chosen.text)}`;
    panels.insert.set({ sessionId, text: `@${file.path}${lines} ${quoted}` });
  };

  return (
    <section className={path === '' ? 'files' : 'files files-open'} aria-label="Files">
      <FileSide
        tree={tree}
        folder={{ sessionId, projectId, worktreeId, root }}
        active={path === '' ? null : path}
        onOpen={open}
      />
      <div className="files-main">
        <FileHead
          files={files}
          folder={{ projectId, worktreeId, root }}
          line={lastPlace.path === path ? lastPlace.line : undefined}
          onBack={() => fileViews.goTo(tab, '')}
          onAdd={addToMessage}
          onLeave={() => fileViews.leave(sessionId)}
        />
        <FileEditor store={files} handle={editor} />
      </div>
    </section>
  );
}
