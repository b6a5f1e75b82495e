import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import type { AskedPath } from './use-file-tasks.ts';

type PathDialogProps = {
  readonly asked: AskedPath;
  /** Returns an error message, or null on success. */
  readonly onAnswer: (path: string) => Promise<string | null>;
  readonly onClose: () => void;
};

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Asks for the path of a new file, or the new path of an existing one. */
export function PathDialog({ asked, onAnswer, onClose }: PathDialogProps): ReactNode {
  const [path, setPath] = useState(asked.from);
  const [fault, setFault] = useState<string | null>(null);
  const isNew = asked.kind === 'new';
  return (
    <Dialog title={isNew ? 'New file' : 'Rename or move'} onClose={onClose}>
      <form
        className="files-ask"
        onSubmit={(event) => {
          event.preventDefault();
          void onAnswer(path).then(setFault);
        }}
      >
        <label className="files-ask-path">
          Path in this folder
          <input
            className="input"
            data-autofocus
            value={path}
            spellCheck={false}
            aria-invalid={fault !== null}
            aria-describedby="files-ask-hint"
            onFocus={({ target }) => {
              // Selects only the name, so typing replaces it and keeps the folder and the extension.
              const from = path.lastIndexOf('/') + 1;
              const dot = path.indexOf('.', from + 1);
              target.setSelectionRange(from, dot < 0 ? path.length : dot);
            }}
            onChange={(event) => setPath(event.target.value)}
          />
        </label>
        <p id="files-ask-hint" className={fault === null ? 'files-note' : 'files-note files-fault'} role="status">
          {fault ?? 'Missing folders are created. Nothing is overwritten.'}
        </p>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit">
            {isNew ? 'Create file' : folderOf(path) === folderOf(asked.from) ? 'Rename' : 'Move'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
