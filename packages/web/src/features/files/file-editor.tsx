import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react';
import { Markdown } from '../../rendering/markdown.tsx';
import { openTextEditor, type TextEditor } from '../../rendering/text-editor.ts';
import type { FileStore } from '../../state/files/file-store.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { LoadFailed, LoadingRows } from '../../ui/list-state.tsx';
import { BinaryFile, FileParts } from './other-contents.tsx';
import './file-editor.css';

export type EditorHandle = { readonly selection: () => ReturnType<TextEditor['selection']> };

type FileEditorProps = {
  readonly store: FileStore;
  readonly handle: Ref<EditorHandle>;
};

/** Shows and edits the open file. Compares it with the version on disk if they differ. */
export function FileEditor({ store, handle }: FileEditorProps): ReactNode {
  const file = useCell(store.file);
  const place = useCell(store.sought);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<TextEditor | null>(null);
  const [isCompared, setCompared] = useState(false);
  const read = file?.read ?? null;
  const other = file?.other ?? null;
  const original = isCompared && other !== null ? other.content : undefined;
  const path = file?.path ?? '';
  const isMarkdown = /\.(md|markdown)$/i.test(path) && read !== null && !read.binary;
  const [isPreviewed, setPreviewed] = useState(false);
  const isPreview = isMarkdown && isPreviewed;
  const isShown = read !== null && !read.binary && !isPreview;
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

  // The pressed button disappears, so the focus moves to the text.
  const isRetried = useRef(false);
  const isFailed = (file?.failure ?? null) !== null;
  useEffect(() => {
    if (isFailed || !isRetried.current) return;
    isRetried.current = false;
    if (document.activeElement === document.body) editor.current?.focus();
  }, [isFailed]);
  const retry = (): void => {
    isRetried.current = true;
    void store.retry();
  };

  if (file === null) return <p className="files-note files-empty">Choose a file to read or edit it.</p>;
  if (read === null)
    return (
      <div className="files-state">
        {file.failure === null ? (
          <LoadingRows label={`Reading ${path}…`} rows={6} />
        ) : (
          <LoadFailed title={`Couldn't open ${path}.`} message={file.failure.message} onRetry={retry} />
        )}
      </div>
    );
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
            Use version on disk
          </Button>
        </div>
      )}
      {file.elsewhere !== null && (
        <div className="files-notice" role="alert">
          <p>This file has other unsaved edits from another browser. Nothing was overwritten.</p>
          <Button onClick={store.keepEdits}>Keep mine</Button>
          <Button look="danger" onClick={store.takeEdits}>
            Use other edits
          </Button>
        </div>
      )}
      {file.failure !== null && (
        <div className="files-notice" role="alert">
          <p>{file.failure.message}</p>
          <Button onClick={retry}>Try again</Button>
        </div>
      )}
      {read.offset !== undefined && <FileParts read={read} onPart={(offset) => void store.showPart(offset)} />}
      {isMarkdown && (
        <div className="files-part" role="group" aria-label="Text or preview">
          <Button
            look={isPreviewed ? 'quiet' : 'plain'}
            aria-pressed={!isPreviewed}
            onClick={() => setPreviewed(false)}
          >
            Text
          </Button>
          <Button look={isPreviewed ? 'plain' : 'quiet'} aria-pressed={isPreviewed} onClick={() => setPreviewed(true)}>
            Preview
          </Button>
        </div>
      )}
      {read.binary ? (
        <BinaryFile key={`${path} ${read.etag}`} path={path} size={read.size} />
      ) : isPreview ? (
        <div className="files-preview" tabIndex={0} role="region" aria-label={`Preview of ${path}`}>
          <Markdown text={file.edited ?? read.content} />
        </div>
      ) : (
        <div ref={host} className="files-editor" />
      )}
    </>
  );
}

/** A text as the editor holds it, with only one kind of line ending. */
const plainLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
