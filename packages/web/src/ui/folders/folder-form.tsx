import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { joinPath, splitPath, wholePath } from './folder-path.ts';
import { Icon } from '../icon.tsx';
import { showHidden } from '@liminal/domain/text/visible-text';
import '../field.css';
import './folder-form.css';

export type FolderChoices = {
  readonly path: string;
  readonly parent: string | null;
  readonly home: string;
  readonly names: readonly string[];
  readonly recent: readonly string[];
};

type FolderFormProps = {
  /** The folders that match the input. */
  readonly useChoices: (typed: string) => FolderChoices | null;
  /** Returns what is wrong with the folder, or null if it was added. */
  readonly onAdd: (dir: string) => Promise<string | null>;
  readonly onAdded?: () => void;
  /** The earlier input, and a callback that stores the current one. */
  readonly initial?: string;
  readonly onWrite?: (dir: string) => void;
};

type Option = { readonly value: string; readonly label: string; readonly kind: 'folder' | 'parent' | 'recent' };

const hint = 'A folder on the machine that runs the server. Adding it changes nothing in it.';

/** Adds a project folder: by typing its path with completion, or by browsing. */
export function FolderForm({ useChoices, onAdd, onAdded, initial = '', onWrite }: FolderFormProps): ReactNode {
  const id = useId();
  const [dir, setDir] = useState(initial);
  const [browsing, setBrowsing] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [added, setAdded] = useState('');
  const choices = useChoices(dir);
  const options = browsing || dir !== '' ? optionsFor(dir, choices, browsing) : recentOptions(choices);
  const active = options[chosen];

  const write = (next: string): void => {
    setDir(next);
    onWrite?.(next);
    setChosen(-1);
    setFailure(null);
    setAdded('');
  };
  const add = async (path: string): Promise<void> => {
    const whole = wholePath(path.trim(), choices?.home ?? '');
    if (whole === '') return setFailure('Enter the path of a folder on this machine, such as /home/you/project.');
    setBusy(true);
    const problem = await onAdd(whole);
    setBusy(false);
    setFailure(problem);
    if (problem !== null) return;
    setAdded(whole);
    setDir('');
    onWrite?.('');
    setBrowsing(false);
    onAdded?.();
  };
  const take = (option: Option): void => {
    if (option.kind === 'recent') void add(option.value);
    else write(option.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setChosen((chosen + step + options.length + (chosen < 0 && step < 0 ? 1 : 0)) % options.length);
    } else if (event.key === 'Tab' && !event.shiftKey && dir !== '') {
      const next = active ?? options.find((option) => option.kind === 'folder');
      // Tab completes if there is something to complete, and leaves the field otherwise.
      if (next === undefined || splitPath(dir).prefix === '') return;
      event.preventDefault();
      write(next.value);
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      take(active);
    }
  };

  return (
    <form
      className="field folder-form"
      onSubmit={(event) => {
        event.preventDefault();
        void add(dir);
      }}
    >
      <label className="field-label" htmlFor={id}>
        Folder
      </label>
      <div className="field-row">
        <input
          id={id}
          className="input"
          role="combobox"
          value={dir}
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder="/home/you/project"
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-list`}
          aria-invalid={failure !== null}
          aria-describedby={`${id}-hint`}
          {...(active === undefined ? {} : { 'aria-activedescendant': `${id}-${chosen}` })}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Button
          aria-pressed={browsing}
          onClick={() => {
            setBrowsing(!browsing);
            if (!browsing && dir === '' && choices !== null) write(`${choices.home}/`);
          }}
        >
          Browse
        </Button>
        <Button type="submit" look="primary" disabled={busy}>
          Add
        </Button>
      </div>
      <p id={`${id}-hint`} className={failure === null ? 'field-hint' : 'field-error'} aria-live="polite">
        {failure ?? (added === '' ? hint : `Added ${added}. Choose New session in the sidebar to work in it.`)}
      </p>
      {dir === '' && !browsing && options.length > 0 && <p className="field-hint">Recent folders:</p>}
      <ul
        id={`${id}-list`}
        className={options.length === 0 ? 'folder-list folder-list-empty' : 'folder-list'}
        role="listbox"
        aria-label="Folders"
      >
        {options.map((option, index) => (
          <li
            key={`${option.kind}:${option.value}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className={index === chosen ? 'folder-option folder-option-chosen' : 'folder-option'}
            ref={(element) => {
              if (index === chosen) element?.scrollIntoView({ block: 'nearest' });
            }}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            <Icon name={option.kind === 'parent' ? 'arrowUp' : 'folder'} size={14} />
            <span className="folder-label">{showHidden(option.label)}</span>
          </li>
        ))}
      </ul>
    </form>
  );
}

function recentOptions(choices: FolderChoices | null): Option[] {
  return (choices?.recent ?? []).slice(0, 5).map((path) => ({ value: path, label: path, kind: 'recent' }));
}

function optionsFor(typed: string, choices: FolderChoices | null, browsing: boolean): Option[] {
  if (choices === null) return [];
  const { folder } = splitPath(typed);
  // Keeps the typed text: only its last part is completed.
  const base = folder === '' ? choices.path : folder;
  const up: Option[] =
    browsing && choices.parent !== null
      ? [{ value: joinPath(choices.parent, '').replace(/([\\/])[\\/]$/, '$1'), label: 'Parent folder', kind: 'parent' }]
      : [];
  return [
    ...up,
    ...choices.names.map((name) => ({ value: joinPath(base, name), label: name, kind: 'folder' as const })),
  ];
}
