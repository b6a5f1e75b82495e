import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react';
import { openTextEditor, type TextEditor } from '../../rendering/text-editor.ts';
import type { FileStore } from '../../state/files/file-store.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/format.ts';

export type EditorHandle = { readonly selection: () => ReturnType<TextEditor['selection']> };

type FileEditorProps = {
  readonly store: FileStore;
  readonly handle: Ref<EditorHandle>;
};

/** The open file: its text to read and to edit, and what is on disk where both differ. */
export function FileEditor({ store, handle }: FileEditorProps): ReactNode {
  const file = useCell(store.file);
  const place = useCell(store.sought);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor | null>(null);
  const [isCompared, setCompared] = useState(false);
  const read = file?.read ?? null;
  const other = file?.other ?? null;
  const original = isCompared && other !== null ? other.content : undefined;
  const isShown = read !== null && !read.binary;
  const path = file?.path ?? '';
  useImperativeHandle(handle, () => ({ selection: () => editor.current?.selection() ?? null }));

  const open = useEffectEvent((): TextEditor | null => {
    if (host.current === null || file === null || read === null) return null;
    return openTextEditor({
      parent: host.current,
      label: file.path,
      path: file.path,
      text: file.edited ?? read.content,
      readOnly: read.readOnly || read.eol === 'mixed',
      ...(original !== undefined && { original }),
      onChange: store.edit,
      onSave: () => void store.save(),
    });
  });
  const goTo = useEffectEvent(() => {
    if (place.line !== undefined && place.path === path) editor.current?.goTo(place.line, place.column);
  });
  useEffect(() => {
    if (!isShown) return undefined;
    const opened = open();
    editor.current = opened;
    goTo();
    return () => {
      opened?.close();
      editor.current = null;
    };
  }, [path, isShown, original]);
  useEffect(() => goTo(), [place]);

  const follow = useEffectEvent(() => {
    const text = file?.edited ?? read?.content;
    if (text !== undefined && editor.current?.text() !== plainLines(text)) editor.current?.replace(text);
  });
  useEffect(() => follow(), [file?.version]);

  if (file === null) return <p className="files-note files-empty">Choose a file to read or edit it.</p>;
  if (read === null)
    return <p className="files-note files-empty">{file.failure === null ? 'Reading…' : file.failure.message}</p>;
  return (
    <>
      {other !== null && (
        <div className="files-notice" role="alert">
          <p>This file changed on disk while you were editing it. Your text is kept.</p>
          <Button onClick={() => setCompared(original === undefined)}>
            {original === undefined ? 'Compare' : 'Hide differences'}
          </Button>
          <Button onClick={store.keepMine}>Save mine</Button>
          <Button look="danger" onClick={store.takeOther}>
            Use the version on disk
          </Button>
        </div>
      )}
      {file.elsewhere !== null && (
        <div className="files-notice" role="alert">
          <p>This file has other unsaved edits from another browser. Nothing was overwritten.</p>
          <Button onClick={store.keepEdits}>Keep mine</Button>
          <Button look="danger" onClick={store.takeEdits}>
            Use the other edits
          </Button>
        </div>
      )}
      {file.failure !== null && (
        <p className="files-notice" role="alert">
          {file.failure.message}
        </p>
      )}
      {read.binary ? (
        <p className="files-note files-empty">{`This is a binary file of ${formatBytes(read.size)}.`}</p>
      ) : (
        <div ref={host} className="files-editor" />
      )}
    </>
  );
}

/** As the editor sees a text: its lines end in one way. */
const plainLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
