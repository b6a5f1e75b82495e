import { useId, useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import './field.css';

type FolderFormProps = {
  /** Gives what is wrong with the folder, or nothing when it was added. */
  readonly onAdd: (dir: string) => Promise<string | null>;
  readonly onAdded?: () => void;
};

const hint = 'A folder on the machine where this server runs. Nothing in it is changed by adding it.';

/** Adds a project folder by its path; what is wrong with it is said beside the field. */
export function FolderForm({ onAdd, onAdded }: FolderFormProps): ReactNode {
  const id = useId();
  const [dir, setDir] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [added, setAdded] = useState('');
  const add = async (): Promise<void> => {
    if (dir.trim() === '') return setFailure('Type the path of a folder on this machine, such as /home/you/project.');
    setBusy(true);
    const problem = await onAdd(dir.trim());
    setBusy(false);
    setFailure(problem);
    if (problem !== null) return;
    setAdded(dir.trim());
    setDir('');
    onAdded?.();
  };
  return (
    <form
      className="field"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label className="field-label" htmlFor={id}>
        Folder
      </label>
      <div className="field-row">
        <input
          id={id}
          className="input"
          value={dir}
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="/home/you/project"
          aria-invalid={failure !== null}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setDir(event.target.value)}
        />
        <Button type="submit" look="primary" disabled={busy}>
          Add
        </Button>
      </div>
      <p id={`${id}-hint`} className={failure === null ? 'field-hint' : 'field-error'} aria-live="polite">
        {failure ?? (added === '' ? hint : `Added ${added}. Start a session in it from the list of projects.`)}
      </p>
    </form>
  );
}
