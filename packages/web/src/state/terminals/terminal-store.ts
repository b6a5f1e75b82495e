import type { ApiFailure, RouteCalls } from '@liminal/client/call-routes';
import type { ReadMessage } from '@liminal/client/read-message';
import type {
  AgentPorts,
  NamedCommand,
  OpenTerminalBody,
  TerminalClientMessage,
  TerminalServerMessage,
  TerminalSummary,
} from '@liminal/contracts';
import { decodeOutputFrame, type OutputFrame } from '@liminal/domain/terminal/output-frame';
import { createCell, type Cell } from '../base/cell.ts';
import { commandTerminal } from './project-commands.ts';

/** A view of one terminal. */
export type TerminalView = {
  /** How much of the output it has; undefined if it has none. */
  readonly position: () => number | undefined;
  readonly onState: (state: Extract<TerminalServerMessage, { type: 'terminal:state' }>) => void;
  readonly onOutput: (frame: OutputFrame) => void;
  readonly onAttach: () => void;
};

/** The terminal in the panel that should take the focus: a certain one, or whichever is shown. */
type FocusRequest = { readonly terminalId?: string };

/** Where to show a new terminal. */
type Where = 'panel' | 'tab';

export type TerminalStore = ReturnType<typeof createTerminalStore>;

type TerminalStoreDeps = {
  readonly api: RouteCalls['terminal'];
  readonly say: (message: TerminalClientMessage) => void;
  /** Terminals in their own tab, which aren't in the panel. */
  readonly tabs: {
    readonly has: (terminalId: string) => boolean;
    readonly show: (terminalId: string) => void;
    readonly close: (terminalId: string) => void;
  };
};

export const terminalHeights = { least: 120, usual: 280, most: 900 } as const;
const pieceLength = 32 * 1024;

const clampHeight = (height: number): number =>
  Math.round(Math.min(terminalHeights.most, Math.max(terminalHeights.least, height)));

/** The server's terminals, which of them this page shows, and the messages to and from them. */
export function createTerminalStore({ api, say, tabs }: TerminalStoreDeps) {
  const list = createCell<readonly TerminalSummary[] | null>(null);
  const agentPorts = createCell<readonly AgentPorts[]>([]);
  // The last choice, possibly from before a reload. It may not be listed yet, or have ended since.
  const chosen = createCell<string | null>(null);
  const isShown = createCell(false);
  // Only a request of the user moves the focus here: a restored panel must not catch what they type into the composer.
  const focusRequest = createCell<FocusRequest | null>(null);
  const height: Cell<number> = createCell<number>(terminalHeights.usual);
  const failure = createCell<ApiFailure | null>(null);
  const views = new Map<string, TerminalView>();

  const inPanel = (terminals: readonly TerminalSummary[]) => terminals.filter((each) => !tabs.has(each.terminalId));
  /** The terminals in the panel, and the one it shows: the chosen one, or else the newest. */
  const panel = () => {
    const all = list.get();
    const terminals = all === null ? null : inPanel(all);
    const shown = terminals?.find(({ terminalId }) => terminalId === chosen.get()) ?? terminals?.at(-1);
    return { terminals, shown };
  };
  const attach = (terminalId: string, view: TerminalView): void => {
    view.onAttach();
    const offset = view.position();
    say({ type: 'terminal:attach', terminalId, ...(offset === undefined ? {} : { offset }) });
  };
  const choose = (terminalId: string): void => {
    focusRequest.set({ terminalId });
    chosen.set(terminalId);
  };
  const showOpened = async (opening: ReturnType<typeof api.open>, where: Where = 'panel'): Promise<void> => {
    if (where === 'panel') isShown.set(true);
    const opened = await opening;
    failure.set(opened.ok ? null : opened.failure);
    // The panel shows why there is none.
    if (!opened.ok) isShown.set(true);
    else if (where === 'tab') tabs.show(opened.value.terminalId);
    else choose(opened.value.terminalId);
  };
  const open = (projectId: string, body: OpenTerminalBody = {}, where: Where = 'panel'): Promise<void> =>
    showOpened(api.open(projectId, body), where);
  const reveal = (terminalId: string): void => {
    if (tabs.has(terminalId)) return tabs.show(terminalId);
    isShown.set(true);
    return choose(terminalId);
  };
  const close = async (terminalId: string): Promise<void> => {
    if (isShown.get() && panel().shown?.terminalId === terminalId) focusRequest.set({});
    list.update((terminals) => terminals?.filter((each) => each.terminalId !== terminalId) ?? null);
    tabs.close(terminalId);
    const closed = await api.remove(terminalId);
    if (!closed.ok && closed.failure.code !== 'TERMINAL_NOT_FOUND') failure.set(closed.failure);
  };

  return {
    list,
    agentPorts,
    chosen,
    /** Shows a terminal in the panel, and focuses it. */
    choose,
    focusRequest,
    isShown,
    height,
    failure,
    setHeight: (next: number): void => height.set(clampHeight(next)),
    open,
    /** Runs a saved command, replacing its last run; shows it if it is already running. */
    async run(projectId: string, { name, command }: NamedCommand): Promise<void> {
      const last = commandTerminal(list.get(), projectId, name);
      if (last?.running === true) return reveal(last.terminalId);
      if (last !== undefined) void close(last.terminalId);
      return open(projectId, { command, title: name });
    },
    /** Runs an agent's own sign-in command. */
    signIn: (cliType: string): Promise<void> => showOpened(api.signIn(cliType, {})),
    reveal,
    panel,
    /** Moves a terminal to its own tab; a panel without terminals closes. */
    toTab(terminalId: string): void {
      tabs.show(terminalId);
      if (panel().shown === undefined) isShown.set(false);
    },
    toPanel(terminalId: string): void {
      tabs.close(terminalId);
      reveal(terminalId);
    },
    /** Shows the panel, with a shell in it, or hides it; programs keep running. */
    toggle(projectId: string | undefined, worktreeId?: string): void {
      const wasShown = isShown.get();
      isShown.set(!wasShown);
      focusRequest.set(wasShown ? null : {});
      if (wasShown || projectId === undefined) return;
      void api.list(projectId).then((reply) => {
        if (reply.ok && inPanel(reply.value.terminals).length === 0 && isShown.get())
          void open(projectId, { worktreeId });
        else if (!reply.ok) failure.set(reply.failure);
      });
    },
    close,
    /** Shows a terminal in a view until the returned function is called. */
    show(terminalId: string, view: TerminalView): () => void {
      views.set(terminalId, view);
      attach(terminalId, view);
      return () => {
        views.delete(terminalId);
        say({ type: 'terminal:detach', terminalId });
      };
    },
    input(terminalId: string, data: string): void {
      for (let at = 0; at < data.length; at += pieceLength)
        say({ type: 'terminal:input', terminalId, data: data.slice(at, at + pieceLength) });
    },
    resize: (terminalId: string, cols: number, rows: number): void =>
      say({ type: 'terminal:resize', terminalId, cols, rows }),
    ack: (terminalId: string, offset: number): void => say({ type: 'terminal:ack', terminalId, offset }),
    /** The socket is open, for the first time or again. */
    connected(): void {
      // Always: saved commands and open ports are shown outside of the panel, too.
      say({ type: 'terminals:subscribe' });
      for (const [terminalId, view] of views) attach(terminalId, view);
    },
    /** Whether the message was about terminals. */
    hear(message: ReadMessage): boolean {
      if (message.type === 'terminals:changed') {
        list.set(message.terminals);
        agentPorts.set(message.agentPorts ?? []);
      } else if (message.type === 'terminal:state') views.get(message.terminalId)?.onState(message);
      else if (message.type === 'error') return message.terminalId !== undefined;
      // The list also contains how a terminal ended; this message is for programs that follow one terminal.
      else return message.type === 'terminal:exit';
      return true;
    },
    hearBytes(bytes: Uint8Array): void {
      const frame = decodeOutputFrame(bytes);
      if (frame) views.get(frame.terminalId)?.onOutput(frame);
    },
  };
}
