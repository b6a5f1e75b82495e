import type { ReactNode } from 'react';
import type { NamedCommand, Project, TerminalSummary } from '@liminal/contracts';
import { commandTerminal, exitText } from '../../state/terminals/project-commands.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PortLinks } from '../../ui/port-links.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import './project-commands.css';

type ProjectCommandsProps = { readonly project: Project; readonly onChosen: () => void };

/** The commands a user saved for a project: the state of each, and its terminal. */
export function ProjectCommands({ project, onChosen }: ProjectCommandsProps): ReactNode {
  const { terminals } = useWorkbench();
  const list = useCell(terminals.list);
  const { commands = [], projectId, name } = project;
  if (commands.length === 0) return null;
  return (
    <ul className="project-commands" aria-label={`Commands of ${name}`}>
      {commands.map((command) => (
        <CommandRow
          key={command.name}
          command={command}
          projectId={projectId}
          terminal={commandTerminal(list, projectId, command.name)}
          onChosen={onChosen}
        />
      ))}
    </ul>
  );
}

type CommandRowProps = {
  readonly command: NamedCommand;
  readonly projectId: string;
  readonly terminal: TerminalSummary | undefined;
  readonly onChosen: () => void;
};

function CommandRow({ command, projectId, terminal, onChosen }: CommandRowProps): ReactNode {
  const { terminals } = useWorkbench();
  const isRunning = terminal?.running === true;
  const run = (): void => void terminals.run(projectId, command);
  return (
    <li className="command-row">
      <button
        type="button"
        className="command-link"
        title={command.command}
        onClick={() => {
          if (terminal === undefined) run();
          else terminals.reveal(terminal.terminalId);
          onChosen();
        }}
      >
        <span className="command-mark">
          <CommandMark terminal={terminal} />
        </span>
        <span className="command-name">{command.name}</span>
        {terminal !== undefined && <span className="command-state">{isRunning ? 'Running' : shortExit(terminal)}</span>}
      </button>
      <PortLinks ports={terminal?.ports} />
      {isRunning ? (
        <IconButton label={`Stop ${command.name}`} onClick={() => void terminals.close(terminal.terminalId)}>
          <Icon name="stop" size={12} />
        </IconButton>
      ) : (
        <IconButton label={`Run ${command.name}`} onClick={run}>
          <Icon name={terminal === undefined ? 'run' : 'retry'} size={12} />
        </IconButton>
      )}
    </li>
  );
}

function CommandMark({ terminal }: { readonly terminal: TerminalSummary | undefined }): ReactNode {
  if (terminal === undefined) return <Icon name="execute" size={14} />;
  if (terminal.running) return <StatusBadge status="working" />;
  return terminal.exitCode === 0 ? <Icon name="check" size={14} /> : <StatusBadge status="failed" />;
}

const shortExit = (terminal: TerminalSummary): string =>
  typeof terminal.exitCode === 'number' ? `Exit ${terminal.exitCode}` : exitText(terminal);
