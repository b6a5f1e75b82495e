import { z } from 'zod';

const terminalId = z.string().min(1).max(100);
const cols = z.int().min(2).max(1_000);
const rows = z.int().min(1).max(1_000);
/** In bytes of the terminal's output. */
const offset = z.int().nonnegative();
const maxInput = 64 * 1024;

/** What a terminal was opened for: a shell, one command, or signing in to an agent. */
export const TerminalKind = z.enum(['shell', 'command', 'sign-in']);
export type TerminalKind = z.infer<typeof TerminalKind>;

/** A port that a program listens on. `reach`: only from this machine, or from any machine that can reach it. */
export const OpenPort = z.object({ port: z.int().min(1).max(65_535), reach: z.enum(['loopback', 'any']) });
export type OpenPort = z.infer<typeof OpenPort>;

/** The ports on which an agent's child processes listen. */
export const AgentPorts = z.object({ sessionId: z.string().min(1), ports: z.array(OpenPort) });
export type AgentPorts = z.infer<typeof AgentPorts>;

export const TerminalSummary = z.object({
  terminalId,
  kind: TerminalKind,
  /** Null for a terminal without a project, such as a sign-in. */
  projectId: z.string().nullable(),
  /** The agent to sign in to. */
  cliType: z.string().optional(),
  title: z.string(),
  folder: z.string(),
  command: z.string().optional(),
  createdAt: z.string(),
  cols,
  rows,
  running: z.boolean(),
  /** Only once it has ended; null if a signal ended it. */
  exitCode: z.int().nullable().optional(),
  signal: z.string().optional(),
  /** Ports its programs listen on, checked while they print output. */
  ports: z.array(OpenPort).optional(),
});
export type TerminalSummary = z.infer<typeof TerminalSummary>;

export const OpenTerminalBody = z
  .object({
    /** Runs this command instead of an interactive shell. */
    command: z.string().trim().min(1).max(10_000).optional(),
    /** The name of the terminal; the command or the shell by default. */
    title: z.string().trim().min(1).max(200).optional(),
    worktreeId: z.string().min(1).optional(),
    cols: cols.optional(),
    rows: rows.optional(),
  })
  .nullish()
  .transform((body) => body ?? {});
export type OpenTerminalBody = z.output<typeof OpenTerminalBody>;

export const OpenSignInBody = z
  .object({ cols: cols.optional(), rows: rows.optional() })
  .nullish()
  .transform((body) => body ?? {});
export type OpenSignInBody = z.output<typeof OpenSignInBody>;

export const OpenTerminalReply = z.object({ terminalId });
export const TerminalsReply = z.object({ terminals: z.array(TerminalSummary) });

/** What a browser sends about terminals over the socket. */
export const TerminalClientMessage = z.discriminatedUnion('type', [
  /** Subscribes to the list of all terminals and their states. */
  z.object({ type: z.literal('terminals:subscribe') }),
  z.object({ type: z.literal('terminal:attach'), terminalId, offset: offset.optional() }),
  z.object({ type: z.literal('terminal:detach'), terminalId }),
  z.object({ type: z.literal('terminal:input'), terminalId, data: z.string().max(maxInput) }),
  z.object({ type: z.literal('terminal:resize'), terminalId, cols, rows }),
  z.object({ type: z.literal('terminal:ack'), terminalId, offset }),
]);
export type TerminalClientMessage = z.infer<typeof TerminalClientMessage>;

/** What the server sends about terminals; their output comes in binary frames. */
export const TerminalServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('terminal:state'),
    terminalId,
    /** Where the following output starts. A reader at another offset clears its screen first. */
    offset,
    /** Output up to here is a replay, output after it is new. */
    end: offset,
    cols,
    rows,
    running: z.boolean(),
    /** Whether this reader answers the program's terminal queries; exactly one reader does. */
    answers: z.boolean(),
  }),
  z.object({
    type: z.literal('terminal:exit'),
    terminalId,
    exitCode: z.int().nullable(),
    signal: z.string().optional(),
  }),
  z.object({
    type: z.literal('terminals:changed'),
    terminals: z.array(TerminalSummary),
    /** Only sessions whose agent started a program that listens. */
    agentPorts: z.array(AgentPorts).optional(),
  }),
]);
export type TerminalServerMessage = z.infer<typeof TerminalServerMessage>;
