import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { fencedCode } from '@liminal/domain/text/fenced-code';
import { createFileStore, type OpenFile, type FilePlace } from '../../state/files/file-store.ts';
import { createTreeStore } from '../../state/files/tree-store.ts';
import { useFolderChanged, useRowsVersion, useRunningTurn, useSession } from '../../state/sessions/use-session.ts';
import { useCell, useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ContentSearch } from './content-search.tsx';
import { EditorLink } from './editor-link.tsx';
import { type EditorHandle, FileEditor } from './file-editor.tsx';
import { FileTree } from './file-tree.tsx';
import './files.css';

/** The files of a session's folder: the tree, search in contents, and one open file. */
export default function FilesView(): ReactNode {
  const { store: session, projectId, projectDir } = useSession();
  const { api, fileViews, panels, socket, storage } = useWorkbench();
  const place = useDirectory().sessions.get(session.sessionId)?.place;
  const worktreeId = place?.worktreeId;
  const [tree] = useState(() => createTreeStore(api.file, projectId, worktreeId));
  const [files] = useState(() => createFileStore({ api: api.file, storage, projectId, worktreeId }));
  const [mode, setMode] = useState<'tree' | 'search'>('tree');
  const file = useCell(files.file);
  const treeState = useCell(tree.state);
  const sought = useCell(fileViews.sought);
  const lastPlace = useCell(files.sought);
  const editor = useRef<EditorHandle>(null);
  // Rows change when a call ends: the agent may have written the open file.
  const rows = useRowsVersion();
  const running = useRunningTurn()?.turnId;

  const open = (next: FilePlace): void => void files.open(next);
  // Somebody else may have written it: a command, another session, another program.
  const changedAt = useFolderChanged()?.at;
  useEffect(() => {
    socket.watchChanges(session.sessionId, true);
    return () => socket.watchChanges(session.sessionId, false);
  }, [socket, session]);
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
    if (sought?.sessionId !== session.sessionId) return;
    const root = `${place?.folder ?? projectDir}/`;
    const path = sought.place.path.startsWith(root) ? sought.place.path.slice(root.length) : sought.place.path;
    fileViews.sought.set(null);
    void files.open({ ...sought.place, path });
    void tree.reveal(path);
  });
  useEffect(() => go(), [sought]);

  const addToMessage = (): void => {
    if (file === null) return;
    const chosen = editor.current?.selection() ?? null;
    const lines = chosen === null ? '' : `:${chosen.from}${chosen.to > chosen.from ? `-${chosen.to}` : ''}`;
    const quoted = chosen === null ? '' : `\n${fencedCode(chosen.text)}`;
    panels.insert.set({ sessionId: session.sessionId, text: `@${file.path}${lines} ${quoted}` });
  };
  const modeButton = (name: typeof mode, label: string): ReactNode => (
    <Button look={mode === name ? 'plain' : 'quiet'} aria-pressed={mode === name} onClick={() => setMode(name)}>
      {label}
    </Button>
  );

  return (
    <section className={file === null ? 'files' : 'files files-open'} aria-label="Files">
      <div className="files-side">
        <div className="files-modes" role="group" aria-label="Files or search">
          {modeButton('tree', 'Files')}
          {modeButton('search', 'Search')}
          {mode === 'tree' && (
            <label className="files-switch">
              <input
                type="checkbox"
                checked={treeState.showsIgnored}
                onChange={(event) => tree.showIgnored(event.target.checked)}
              />{' '}
              Ignored files
            </label>
          )}
        </div>
        {mode === 'tree' ? (
          <FileTree tree={tree} active={file?.path ?? null} onOpen={(path) => open({ path })} />
        ) : (
          <ContentSearch projectId={projectId} worktreeId={worktreeId} onOpen={open} />
        )}
      </div>
      <div className="files-main">
        <header className="files-head">
          {file !== null && (
            <IconButton className="files-back" label="Back to the list of files" onClick={files.close}>
              <Icon name="menu" />
            </IconButton>
          )}
          <span className="files-path" title={file?.path}>
            {file?.path ?? ''}
          </span>
          <span className="files-status" role="status">
            {file === null ? '' : statusOf(file)}
          </span>
          {file !== null && (
            <>
              <EditorLink
                projectId={projectId}
                worktreeId={worktreeId}
                root={place?.folder ?? projectDir}
                path={file.path}
                line={lastPlace.path === file.path ? lastPlace.line : undefined}
              />
              <Button look="quiet" aria-label="Add to message" onClick={addToMessage}>
                <Icon name="comment" />
                <span className="files-add-text">Add to message</span>
              </Button>
              <Button look="primary" disabled={file.edited === null || file.isSaving} onClick={() => void files.save()}>
                Save
              </Button>
            </>
          )}
          <IconButton label="Back to conversation" onClick={() => fileViews.close(session.sessionId)}>
            <Icon name="close" />
          </IconButton>
        </header>
        <FileEditor store={files} handle={editor} />
      </div>
    </section>
  );
}

function statusOf({ read, edited, isSaving }: OpenFile): string {
  if (isSaving) return 'Saving…';
  if (read?.readOnly === true && !read.binary) return `Read-only. ${read.reason ?? ''}`;
  if (read?.eol === 'mixed') return 'Read-only. It has mixed line endings.';
  return edited === null ? '' : 'Not saved';
}
