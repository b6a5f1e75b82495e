import { useCallback, useState, type ReactNode } from 'react';
import type { TerminalSummary } from '@liminal/contracts';
import type { NamedPlace } from '@liminal/domain/text/file-places';
import { fencedCode } from '@liminal/domain/text/fenced-code';
import type { Emulator } from '../../rendering/terminal-emulator.ts';
import { exitText } from '../../state/terminals/project-commands.ts';
import { useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PortLinks } from '../../ui/port-links.tsx';
import { TerminalView } from './terminal-view.tsx';
import './terminal.css';

/** How much output goes into a message; the agent can ask for the rest. */
const mostQuoted = 30_000;

type TerminalSurfaceProps = {
  readonly label: string;
  /** The shown terminal, if there is one. */
  readonly terminal: TerminalSummary | undefined;
  /** Whether the terminal takes the focus, when it is shown or later. */
  readonly takesFocus: boolean;
  /** At the left of the toolbar, and at its right end. */
  readonly lead: ReactNode;
  readonly trail: ReactNode;
  /** A message above the screen. */
  readonly notice?: ReactNode;
};

/** A terminal with a toolbar: search, and quote its output in a message. */
export function TerminalSurface(props: TerminalSurfaceProps): ReactNode {
  const { label, terminal, takesFocus, lead, trail, notice } = props;
  const { activeSession, openPath, panels, terminals } = useWorkbench();
  // The current session changes with the tabs.
  useTabs();
  const sessionId = activeSession();
  const [emulator, setEmulator] = useState<Emulator | null>(null);
  const [selection, setSelection] = useState('');
  const [search, setSearch] = useState<string | null>(null);
  const [hint, setHint] = useState('');
  const onEmulator = useCallback((opened: Emulator | null) => setEmulator(opened), []);

  const onPath = (place: NamedPlace): void => {
    if (sessionId === null) return;
    const path = place.path.startsWith('/')
      ? place.path
      : `${terminal?.folder ?? ''}/${place.path.replace(/^(\.\/)+/, '')}`;
    openPath(sessionId, { ...place, path });
  };
  const addToMessage = (text: string | null): void => {
    if (sessionId === null) return;
    setHint(text === null ? 'No command has run in this terminal yet.' : '');
    if (text === null) return;
    const cut = text.length > mostQuoted ? `[…]\n${text.slice(-mostQuoted)}` : text;
    panels.insert.set({ sessionId, text: fencedCode(cut, 'console') });
  };
  const lastCommand = (): string | null => {
    if (!emulator || terminal?.kind !== 'command') return emulator?.lastCommand() ?? null;
    const parts = [`$ ${terminal.command ?? ''}`, emulator.allText(), exitText(terminal)];
    return parts.filter((part) => part !== '').join('\n');
  };
  const find = (direction: 'next' | 'previous'): void => {
    if (search !== null && search !== '') emulator?.find(search, direction);
  };

  return (
    <section className="terminal-panel" aria-label={label}>
      <header className="terminal-bar">
        {lead}
        <PortLinks ports={terminal?.ports} />
        {selection !== '' && sessionId !== null && (
          <Button look="quiet" onClick={() => addToMessage(selection)}>
            Add to message
          </Button>
        )}
        {search !== null && (
          <input
            className="terminal-search"
            aria-label="Search in the terminal"
            placeholder="Search"
            autoFocus
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') find(event.shiftKey ? 'previous' : 'next');
              if (event.key !== 'Escape') return;
              event.preventDefault();
              setSearch(null);
              emulator?.focus();
            }}
          />
        )}
        {sessionId !== null && (
          <IconButton
            label="Add last command to message"
            disabled={!terminal || !emulator}
            onClick={() => addToMessage(lastCommand())}
          >
            <Icon name="comment" />
          </IconButton>
        )}
        <IconButton
          label="Search in the terminal"
          disabled={!terminal}
          onClick={() => setSearch(search === null ? '' : null)}
        >
          <Icon name="search" />
        </IconButton>
        <IconButton
          label="End this terminal"
          disabled={!terminal}
          onClick={() => terminal && void terminals.close(terminal.terminalId)}
        >
          <Icon name="delete" />
        </IconButton>
        {trail}
      </header>
      {notice}
      {terminal && (
        <TerminalView
          key={terminal.terminalId}
          terminal={terminal}
          takesFocus={takesFocus}
          onEmulator={onEmulator}
          onSelection={setSelection}
          onPath={onPath}
        />
      )}
      <p className="terminal-state" role="status">
        {terminal && (exitText(terminal) || hint)}
      </p>
    </section>
  );
}
