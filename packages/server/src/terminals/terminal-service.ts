import { basename } from 'node:path';
import {
  fail,
  ok,
  type AgentPorts,
  type OpenTerminalBody,
  type Result,
  type TerminalSummary,
} from '@liminal/contracts';
import { createPortWatch } from '../processes/port-watch.ts';
import type { ProcessCommand } from '../processes/process-marker.ts';
import { checkFolder } from '../projects/check-folder.ts';
import type { ProjectService } from '../projects/project-service.ts';
import type { PtyHost, PtySize } from './pty/pty.ts';
import {
  type Attachment,
  createTerminal,
  type Terminal,
  type TerminalLimits,
  type TerminalReader,
} from './terminal.ts';
import { personShell, withCommandMarks } from './terminal-environment.ts';

export type TerminalService = ReturnType<typeof createTerminalService>;

export type TerminalServiceDeps = {
  /** Null if this system has no terminals. */
  readonly host: () => Promise<PtyHost | null>;
  readonly projects: Pick<ProjectService, 'get'>;
  /** The folder of a worktree. */
  readonly worktreeFolder?: (projectId: string, worktreeId: string) => Result<string>;
  readonly env: () => Readonly<Record<string, string>>;
  readonly now: () => string;
  readonly newId: () => string;
  /** The ports of agents' programs, for those who follow the terminals. */
  readonly agentPorts?: () => AgentPorts[];
  readonly limits?: Partial<TerminalLimits> & { readonly most?: number };
};

type About = Pick<TerminalSummary, 'kind' | 'projectId' | 'title'> &
  Partial<Pick<TerminalSummary, 'cliType' | 'command'>>;
type Entry = { readonly about: TerminalSummary; readonly terminal: Terminal; readonly pid: number };

const usualSize: PtySize = { cols: 80, rows: 24 };
const mostRunning = 64;
const mostKept = 100;
const longestTitle = 60;
const missing = fail('TERMINAL_NOT_FOUND', 'There is no such terminal. It was closed, or the server has restarted.');

/**
 * The terminals of this server. They outlive every page and end when closed, with their project, or with the server.
 */
export function createTerminalService(deps: TerminalServiceDeps) {
  const { host, projects, env, now, newId, limits = {} } = deps;
  const entries = new Map<string, Entry>();
  const followers = new Set<() => void>();
  const starting = new Set<Promise<unknown>>();
  let isClosed = false;

  const changed = (): void => {
    for (const follower of followers) follower();
  };
  const ports = createPortWatch({
    ownerOf(terminalId) {
      const entry = entries.get(terminalId);
      return entry && entry.terminal.exit === null ? { pid: entry.pid } : null;
    },
    onChanged: changed,
  });
  const summaryOf = ({ about, terminal }: Entry): TerminalSummary => {
    const open = ports.portsOf(about.terminalId);
    return {
      ...about,
      ...terminal.size,
      running: terminal.exit === null,
      ...terminal.exit,
      ...(open.length > 0 && { ports: [...open] }),
    };
  };
  const all = (): TerminalSummary[] => [...entries.values()].map(summaryOf);

  /** Ended terminals stay readable, up to a limit. */
  const forgetOldest = (): void => {
    for (const [id, { terminal }] of entries) {
      if (entries.size <= mostKept) return;
      if (terminal.exit && terminal.readers === 0) entries.delete(id);
    }
  };

  /** Runs a program in a terminal without checking trust. */
  async function start(about: About, program: ProcessCommand, size: PtySize): Promise<Result<{ terminalId: string }>> {
    if (isClosed) return fail('NOT_SUPPORTED', 'The server is shutting down.');
    const running = [...entries.values()].filter(({ terminal }) => terminal.exit === null).length;
    if (running + starting.size >= (limits.most ?? mostRunning))
      return fail('NOT_SUPPORTED', `${running} terminals are open. Close one of them first.`);
    const begun = begin(about, program, size);
    starting.add(begun);
    return begun.finally(() => starting.delete(begun));
  }

  async function begin(about: About, program: ProcessCommand, size: PtySize): Promise<Result<{ terminalId: string }>> {
    try {
      const system = await host();
      if (!system) {
        return fail('NOT_SUPPORTED', "Terminals don't work on this system. On Linux, install the package util-linux.");
      }
      const pty = await system.open(program, size);
      const terminalId = newId();
      pty.output.on('data', () => ports.heard(terminalId));
      const onChanged = () => (ports.forget(terminalId), forgetOldest(), changed());
      const terminal = createTerminal({ terminalId, pty, size, onChanged, limits });
      const summary = { ...about, terminalId, folder: program.cwd, createdAt: now(), ...size, running: true };
      entries.set(terminalId, { about: summary, terminal, pid: pty.pid });
      changed();
      return ok({ terminalId });
    } catch (error) {
      return fail('NOT_SUPPORTED', `${program.command} cannot be started (${(error as Error).message}).`);
    }
  }

  const removeAll = async (fits: (entry: Entry) => boolean): Promise<void> => {
    const chosen = [...entries].filter(([, entry]) => fits(entry));
    for (const [id] of chosen) {
      entries.delete(id);
      ports.forget(id);
    }
    if (chosen.length > 0) changed();
    await Promise.all(chosen.map(([, { terminal }]) => terminal.kill()));
  };

  return {
    start,
    async open(projectId: string, body: OpenTerminalBody): Promise<Result<{ terminalId: string }>> {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      if (!project.value.trusted) {
        return fail('PROJECT_NOT_TRUSTED', 'Terminals open only in folders you trust. Trust this folder first.');
      }
      const worktree = body.worktreeId === undefined ? null : deps.worktreeFolder?.(projectId, body.worktreeId);
      if (worktree === undefined) return fail('WORKTREE_NOT_FOUND', 'There is no such worktree.');
      if (worktree && !worktree.ok) return worktree;
      const folder = await checkFolder(worktree?.value ?? project.value.dir);
      if (!folder.ok) return folder;
      const { command, title, cols = usualSize.cols, rows = usualSize.rows } = body;
      const shell = personShell(env());
      const about = {
        kind: command === undefined ? ('shell' as const) : ('command' as const),
        projectId,
        title: title ?? command?.slice(0, longestTitle) ?? basename(shell),
        ...(command !== undefined && { command }),
      };
      // The user typed this line to be run by their shell.
      const args = command === undefined ? [] : ['-c', command];
      const given = command === undefined ? withCommandMarks(shell, env()) : env();
      const started = await start(about, { command: shell, args, cwd: folder.value, env: given }, { cols, rows });
      // Removing the project closed its other terminals. This one was just opening.
      const still = projects.get(projectId);
      if (still.ok || !started.ok) return started;
      await removeAll(({ about: { terminalId } }) => terminalId === started.value.terminalId);
      return still;
    },
    list(projectId: string): Result<{ terminals: TerminalSummary[] }> {
      const project = projects.get(projectId);
      return project.ok ? ok({ terminals: all().filter((each) => each.projectId === projectId) }) : project;
    },
    async remove(terminalId: string): Promise<Result<null>> {
      if (!entries.has(terminalId)) return missing;
      await removeAll(({ about }) => about.terminalId === terminalId);
      return ok(null);
    },
    /** Removing a project closes its terminals. */
    removeOf: (projectId: string): Promise<void> => removeAll(({ about }) => about.projectId === projectId),
    attach(terminalId: string, reader: TerminalReader, offset?: number): Result<Attachment> {
      const entry = entries.get(terminalId);
      return entry ? ok(entry.terminal.attach(reader, offset)) : missing;
    },
    resize(terminalId: string, size: PtySize): Result<null> {
      const entry = entries.get(terminalId);
      if (!entry) return missing;
      entry.terminal.resize(size);
      return ok(null);
    },
    all,
    agentPorts: deps.agentPorts ?? (() => []),
    /** Notifies followers that the ports of agents' programs changed. */
    agentPortsChanged: changed,
    /** Calls back after every change of the list. Returns a function that stops it. */
    follow(follower: () => void): () => void {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    async close(): Promise<void> {
      isClosed = true;
      // One that is just opening would outlive the server.
      await Promise.all(starting);
      await removeAll(() => true);
    },
  };
}
