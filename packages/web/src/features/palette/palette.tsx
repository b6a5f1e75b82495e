import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { SearchHit } from '@liminal/contracts';
import type { Cell } from '../../state/base/cell.ts';
import type { Action } from '../../state/workbench/actions.ts';
import { useCell, useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { dialogClosing } from '../../ui/dialogs/dialog-closing.ts';
import { Icon } from '../../ui/icon.tsx';
import { KeyPair } from '../../ui/key-pair.tsx';
import { keysText } from '../../ui/keys.ts';
import { sectionsFor, type Entry, type Section } from './entries.ts';
import { EntryLine } from './entry-line.tsx';
import { useSearch } from './use-search.ts';
import './palette.css';

type Place = { readonly sessionId: string; readonly turnId?: string; readonly itemId?: string };
type PaletteProps = {
  readonly mode: 'all' | 'search';
  /** What the user typed, even while this was loading. */
  readonly text: Cell<string>;
  readonly actions: readonly Action[];
  readonly onShow: (sessionId: string) => void;
  readonly onReveal: (place: Place) => Promise<void>;
};

/** Finds actions, sessions and messages. */
export default function Palette({ mode, text, actions, onShow, onReveal }: PaletteProps): ReactNode {
  const { drafts, panels, startForm, tabs } = useWorkbench();
  const directory = useDirectory();
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  const typed = useCell(text);
  const [chosen, setChosen] = useState(0);
  const search = useSearch(typed);
  const found = sectionsFor({ typed, mode, actions, directory, hits: search.hits });
  // Not while the search runs: an Enter meant for its first result must not start something else.
  const isSettled = typed.trim() !== '' && search.state !== 'searching';
  const isOffered = found.length === 0 && mode === 'all' && isSettled && directory.projects.length > 0;
  const sections = isOffered ? [offer(typed.trim(), () => startWith(typed.trim()))] : found;
  const entries = sections.flatMap((section) => section.entries);
  const index = Math.min(chosen, entries.length - 1);
  const active = entries[index];

  /** The text becomes the draft of a first message; nothing is sent yet. */
  const startWith = (content: string): void => {
    startForm.open();
    const id = startForm.current.get();
    if (id !== null) drafts.add(id, content);
    panels.open({ name: 'new-session' });
  };
  const before = useRef<Element | null>(null);
  // Before the first paint: the next key is already meant for it.
  useLayoutEffect(() => {
    const dialog = element.current;
    before.current = document.activeElement;
    if (dialog?.open === false) dialog.showModal();
  }, []);
  // The focus is lost only after the palette is removed from the page.
  useEffect(
    () => () => {
      text.set('');
      if (document.activeElement === document.body && before.current instanceof HTMLElement) before.current.focus();
    },
    [text],
  );

  const take = (entry: Entry, beside: boolean): void => {
    panels.close();
    // Nothing behind an open dialog can take the focus.
    requestAnimationFrame(() => {
      switch (entry.kind) {
        case 'action':
          return entry.action.run();
        case 'session':
          return beside ? tabs.showBeside(entry.session.sessionId) : onShow(entry.session.sessionId);
        case 'hit':
          return void onReveal(placeOf(entry.hit));
      }
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      const next = Math.abs(step) === 1 ? (index + step + entries.length) % entries.length : index + step;
      setChosen(Math.min(entries.length - 1, Math.max(0, next)));
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      take(active, event.ctrlKey || event.metaKey);
    }
  };

  return (
    <dialog
      ref={element}
      className="palette"
      aria-label={mode === 'search' ? 'Search all sessions' : 'Search sessions and actions'}
      {...dialogClosing(panels.close)}
      onClick={(event) => event.target === element.current && panels.close()}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          className="palette-input"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-label={mode === 'search' ? 'Search' : 'Search sessions and actions'}
          {...(active === undefined ? {} : { 'aria-activedescendant': `${id}-${active.key}` })}
          placeholder={mode === 'search' ? 'Search titles and messages' : 'Search sessions and actions'}
          value={typed}
          autoFocus
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            text.set(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={`${id}-list`} className="palette-list" role="listbox" aria-label="Results">
        {sections.map((section) => (
          <div key={section.title} role="group" aria-label={section.title}>
            <p className="palette-title" aria-hidden="true">
              {section.title}
            </p>
            {section.entries.map((entry) => (
              <EntryLine
                key={entry.key}
                id={`${id}-${entry.key}`}
                entry={entry}
                isChosen={entry === active}
                onPoint={() => setChosen(entries.indexOf(entry))}
                onTake={(beside) => take(entry, beside)}
              />
            ))}
          </div>
        ))}
      </div>
      <p className="palette-state" role="status">
        {found.length > 0 && search.state !== 'failed' ? (
          <span className="palette-keys">
            <KeyPair keys="↑ ↓">move</KeyPair>
            <KeyPair keys="Enter">open</KeyPair>
            <KeyPair keys={keysText({ code: 'Enter', label: 'Enter', mod: true })}>open beside</KeyPair>
          </span>
        ) : (
          describeState(search.state, search.message, typed)
        )}
      </p>
    </dialog>
  );
}

const placeOf = ({ sessionId, turnId, itemId }: SearchHit): Place => ({
  sessionId,
  ...(turnId !== undefined && { turnId }),
  ...(itemId !== undefined && { itemId }),
});

/** The next step if nothing matches. */
const offer = (text: string, run: () => void): Section => ({
  title: 'Instead',
  entries: [
    {
      kind: 'action',
      key: 'offer',
      action: { id: 'new-session', title: `New session: “${text}”`, group: 'Sessions', isPossible: true, run },
    },
  ],
});

function describeState(state: string, message: string, typed: string): string {
  if (state === 'failed') return message;
  if (state === 'searching') return 'Searching…';
  return typed.trim() === '' ? 'Type to search' : `No results for “${typed.trim()}”`;
}
