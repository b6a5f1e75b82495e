import { useCallback, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { NamedPlace } from '@liminal/domain/text/file-places';
import { fencedCode } from '@liminal/domain/text/fenced-code';
import { commandTerminal, exitText } from '../../state/terminals/project-commands.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { PortLinks } from '../../ui/port-links.tsx';
import type { Emulator } from '../../rendering/terminal-emulator.ts';
import { TerminalView } from './terminal-view.tsx';
import './terminal.css';

/** So much of what was printed goes into a message; the agent can ask for the rest. */
const mostQuoted = 30_000;

/** The terminals at the bottom of the page. Closing the panel ends nothing; closing a tab ends its terminal. */
export default function TerminalPanel(): ReactNode {
  const { newSessions, openPath, panels, terminals } = useWorkbench();
  const { projects, sessions } = useDirectory();
  const { active: sessionId } = useTabs();
  const list = useCell(terminals.list);
  const active = useCell(terminals.active);
  const failure = useCell(terminals.failure);
  const [emulator, setEmulator] = useState<Emulator | null>(null);
  const [selection, setSelection] = useState('');
  const [search, setSearch] = useState<string | null>(null);
  const shown = list?.find(({ terminalId }) => terminalId === active);
  const place = sessionId === null ? undefined : (sessions.get(sessionId) ?? newSessions.origin(sessionId));
  const projectId = place?.projectId ?? projects[0]?.projectId;
  const worktreeId = sessionId === null ? undefined : sessions.get(sessionId)?.place?.worktreeId;
  const commands = projects.find((project) => project.projectId === projectId)?.commands ?? [];
  const [notice, setNotice] = useState('');
  const folder = shown?.folder ?? '';
  const onPath = (place: NamedPlace): void => {
    if (sessionId === null) return;
    const path = place.path.startsWith('/') ? place.path : `${folder}/${place.path.replace(/^(\.\/)+/, '')}`;
    openPath(sessionId, { ...place, path });
  };
  const onEmulator = useCallback((opened: Emulator | null) => setEmulator(opened), []);

  const addToMessage = (text: string | null): void => {
    if (sessionId === null) return;
    setNotice(text === null ? 'No command has run in this terminal yet.' : '');
    if (text === null) return;
    const cut = text.length > mostQuoted ? `[…]\n${text.slice(-mostQuoted)}` : text;
    panels.insert.set({ sessionId, text: fencedCode(cut, 'console') });
  };
  const lastCommand = (): string | null => {
    if (!emulator || shown?.kind !== 'command') return emulator?.lastCommand() ?? null;
    return [`$ ${shown.command ?? ''}`, emulator.allText(), exitText(shown)].filter((part) => part !== '').join('\n');
  };
  const onTabKey = (event: KeyboardEvent, terminalId: string): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = list?.findIndex((each) => each.terminalId === terminalId) ?? -1;
    if (event.key === 'Delete') void terminals.close(terminalId);
    if (step === undefined || !list?.[at + step]) return;
    event.preventDefault();
    terminals.active.set(list[at + step]?.terminalId ?? null);
    const tab = event.currentTarget.parentElement?.children[at + step];
    if (tab instanceof HTMLElement) tab.focus();
  };
  const find = (direction: 'next' | 'previous'): void => {
    if (search !== null && search !== '') emulator?.find(search, direction);
  };

  return (
    <section className="terminal-panel" aria-label="Terminals">
      <header className="terminal-bar">
        <div className="terminal-tabs" role="tablist" aria-label="Open terminals">
          {list?.map((terminal) => (
            <button
              key={terminal.terminalId}
              type="button"
              role="tab"
              className="terminal-tab"
              aria-selected={terminal.terminalId === active}
              tabIndex={terminal.terminalId === active ? 0 : -1}
              title={terminal.folder}
              onClick={() => terminals.active.set(terminal.terminalId)}
              onKeyDown={(event) => onTabKey(event, terminal.terminalId)}
            >
              <Icon name="execute" size={14} />
              <span className="terminal-tab-title">{terminal.title}</span>
              {!terminal.running && <span className="terminal-ended">{exitText(terminal)}</span>}
            </button>
          ))}
        </div>
        <PortLinks ports={shown?.ports} />
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
            disabled={!shown || !emulator}
            onClick={() => addToMessage(lastCommand())}
          >
            <Icon name="comment" />
          </IconButton>
        )}
        {projectId !== undefined && commands.length > 0 && (
          <MenuButton
            label="Run a command"
            icon="run"
            items={commands.map((command) => ({
              label: command.name,
              onChoose: () => void terminals.run(projectId, command),
              ...(commandTerminal(list, projectId, command.name)?.running === true && { hint: 'Running' }),
            }))}
          />
        )}
        <IconButton
          label="Search in the terminal"
          disabled={!shown}
          onClick={() => setSearch(search === null ? '' : null)}
        >
          <Icon name="search" />
        </IconButton>
        <IconButton
          label="New terminal"
          disabled={projectId === undefined}
          onClick={() => projectId !== undefined && void terminals.open(projectId, { worktreeId })}
        >
          <Icon name="add" />
        </IconButton>
        <IconButton
          label="End this terminal"
          disabled={!shown}
          onClick={() => shown && void terminals.close(shown.terminalId)}
        >
          <Icon name="delete" />
        </IconButton>
        <IconButton label="Hide terminals" onClick={() => terminals.isShown.set(false)}>
          <Icon name="close" />
        </IconButton>
      </header>
      {failure !== null && (
        <p className="terminal-notice" role="alert">
          {failure.message}
          {failure.code === 'PROJECT_NOT_TRUSTED' && projectId !== undefined && (
            <Button onClick={() => panels.open({ name: 'trust', projectId })}>Trust folder</Button>
          )}
        </p>
      )}
      {shown ? (
        <TerminalView
          key={shown.terminalId}
          terminal={shown}
          onEmulator={onEmulator}
          onSelection={setSelection}
          onPath={onPath}
        />
      ) : (
        // A failure says why there is none.
        failure === null && (
          <p className="terminal-notice">{list === null ? 'Loading terminals…' : 'No terminal is open.'}</p>
        )
      )}
      <p className="terminal-state" role="status">
        {shown && (exitText(shown) || notice)}
      </p>
    </section>
  );
}
