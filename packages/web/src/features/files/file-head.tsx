import type { ReactNode } from 'react';
import type { FileStore, OpenFile } from '../../state/files/file-store.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EditorLink } from './editor-link.tsx';

type FileHeadProps = {
  readonly files: FileStore;
  readonly folder: { readonly projectId: string; readonly worktreeId: string | undefined; readonly root: string };
  readonly line: number | undefined;
  /** Returns to the list of files if there is no room for both. */
  readonly onBack: () => void;
  readonly onAdd: () => void;
  readonly onLeave: () => void;
};

/** The path of the open file, its status, and its actions. */
export function FileHead({ files, folder, line, onBack, onAdd, onLeave }: FileHeadProps): ReactNode {
  const file = useCell(files.file);
  return (
    <header className="files-head">
      {file !== null && (
        <IconButton className="files-back" label="Back to files" onClick={onBack}>
          <Icon name="tree" />
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
          <EditorLink {...folder} path={file.path} line={line} />
          <Button look="quiet" aria-label="Add to message" onClick={onAdd}>
            <Icon name="comment" />
            <span className="files-add-text">Add to message</span>
          </Button>
          <Button look="primary" disabled={file.edited === null || file.isSaving} onClick={() => void files.save()}>
            Save
          </Button>
        </>
      )}
      <IconButton className="files-leave" label="Back to conversation" onClick={onLeave}>
        <Icon name="close" />
      </IconButton>
    </header>
  );
}

function statusOf({ read, edited, isSaving }: OpenFile): string {
  if (isSaving) return 'Saving…';
  if (read?.readOnly === true && !read.binary) return `Read-only. ${read.reason ?? ''}`;
  if (read?.eol === 'mixed') return 'Read-only. This file has mixed line endings.';
  return edited === null ? '' : 'Unsaved';
}
