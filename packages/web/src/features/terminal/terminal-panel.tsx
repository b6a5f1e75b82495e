import type { KeyboardEvent, ReactNode } from 'react';
import { commandTerminal, exitText } from '../../state/terminals/project-commands.ts';
import { useCell, useDirectory, useTabs, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyList, LoadingRows } from '../../ui/list-state.tsx';
import { MenuButton } from '../../ui/menu.tsx';
import { TerminalSurface } from './terminal-surface.tsx';

/** The terminals at the bottom of the page. Closing the panel doesn't end them. */
export default function TerminalPanel(): ReactNode {
  const { activeProject, activeSession, newSessions, panels, terminals } = useWorkbench();
  const { projects, sessions } = useDirectory();
  // Which terminals have their own tab, and the current session, change with the tabs.
  useTabs();
  useCell(terminals.chosen);
  const sessionId = activeSession() ?? '';
  const all = useCell(terminals.list);
  const { terminals: list, shown } = terminals.panel();
  const focusRequest = useCell(terminals.focusRequest);
  const failure = useCell(terminals.failure);
  const place = sessions.get(sessionId) ?? newSessions.origin(sessionId);
  const projectId = place?.projectId ?? activeProject() ?? projects[0]?.projectId;
  const worktreeId = sessions.get(sessionId)?.place?.worktreeId;
  const commands = projects.find((project) => project.projectId === projectId)?.commands ?? [];
  const onTabKey = (event: KeyboardEvent, terminalId: string): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const at = list?.findIndex((each) => each.terminalId === terminalId) ?? -1;
    if (event.key === 'Delete') void terminals.close(terminalId);
    if (step === undefined || !list?.[at + step]) return;
    event.preventDefault();
    terminals.chosen.set(list[at + step]?.terminalId ?? null);
    const tab = event.currentTarget.parentElement?.children[at + step];
    if (tab instanceof HTMLElement) tab.focus();
  };
  const open = (): void => {
    if (projectId !== undefined) void terminals.open(projectId, { worktreeId });
  };
  // A failure explains why there is none.
  const isEmpty = !shown && failure === null;

  return (
    <TerminalSurface
      label="Terminals"
      terminal={shown}
      takesFocus={focusRequest !== null && (focusRequest.terminalId ?? shown?.terminalId) === shown?.terminalId}
      lead={
        <div className="terminal-tabs" role="tablist" aria-label="Open terminals">
          {list?.map((terminal) => (
            <button
              key={terminal.terminalId}
              type="button"
              role="tab"
              className="terminal-tab"
              aria-selected={terminal === shown}
              tabIndex={terminal === shown ? 0 : -1}
              title={terminal.folder}
              onClick={() => terminals.choose(terminal.terminalId)}
              onKeyDown={(event) => onTabKey(event, terminal.terminalId)}
            >
              <Icon name="execute" size={14} />
              <span className="terminal-tab-title">{terminal.title}</span>
              {!terminal.running && <span className="terminal-ended">{exitText(terminal)}</span>}
            </button>
          ))}
        </div>
      }
      trail={
        <>
          {projectId !== undefined && commands.length > 0 && (
            <MenuButton
              label="Run a command"
              icon="run"
              items={commands.map((command) => ({
                label: command.name,
                onChoose: () => void terminals.run(projectId, command),
                ...(commandTerminal(all, projectId, command.name)?.running === true && { hint: 'Running' }),
              }))}
            />
          )}
          <IconButton label="New terminal" disabled={projectId === undefined} onClick={open}>
            <Icon name="add" />
          </IconButton>
          <IconButton
            label="Move to a tab"
            disabled={!shown}
            onClick={() => shown && terminals.toTab(shown.terminalId)}
          >
            <Icon name="beside" />
          </IconButton>
          <IconButton label="Hide terminals" onClick={() => terminals.isShown.set(false)}>
            <Icon name="close" />
          </IconButton>
        </>
      }
      notice={
        <>
          {failure !== null && (
            <p className="terminal-notice" role="alert">
              {failure.message}
              {projectId !== undefined &&
                (failure.code === 'PROJECT_NOT_TRUSTED' ? (
                  <Button onClick={() => panels.open({ name: 'trust', projectId })}>Trust folder…</Button>
                ) : (
                  !shown && <Button onClick={open}>Try again</Button>
                ))}
            </p>
          )}
          {isEmpty && (
            <div className="terminal-notice">
              {list === null ? (
                <LoadingRows label="Loading terminals…" />
              ) : (
                <EmptyList
                  title="No terminal is open"
                  {...(projectId !== undefined && { action: { label: 'New terminal', onChoose: open } })}
                >
                  A terminal keeps running when you hide this panel or close the page.
                </EmptyList>
              )}
            </div>
          )}
        </>
      }
    />
  );
}
