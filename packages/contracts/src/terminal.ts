import { z } from 'zod';

const terminalId = z.string().min(1).max(100);
const cols = z.int().min(2).max(1_000);
const rows = z.int().min(1).max(1_000);
/** Counts the bytes a terminal has printed. */
const offset = z.int().nonnegative();
const maxInput = 64 * 1024;

/** What a terminal was opened for: a shell, one command, or to sign in to an agent. */
export const TerminalKind = z.enum(['shell', 'command', 'sign-in']);
export type TerminalKind = z.infer<typeof TerminalKind>;

/** A port that a program listens on. `reach`: only this machine gets to it, or every machine that reaches this one. */
export const OpenPort = z.object({ port: z.int().min(1).max(65_535), reach: z.enum(['loopback', 'any']) });
export type OpenPort = z.infer<typeof OpenPort>;

/** The ports that what an agent started listens on. */
export const AgentPorts = z.object({ sessionId: z.string().min(1), ports: z.array(OpenPort) });
export type AgentPorts = z.infer<typeof AgentPorts>;

export const TerminalSummary = z.object({
  terminalId,
  kind: TerminalKind,
  /** Null for a terminal that belongs to no project, as one to sign in. */
  projectId: z.string().nullable(),
  /** The agent a user signs in to. */
  cliType: z.string().optional(),
  title: z.string(),
  folder: z.string(),
  command: z.string().optional(),
  createdAt: z.string(),
  cols,
  rows,
  running: z.boolean(),
  /** Of one that has ended; null when a signal ended it. */
  exitCode: z.int().nullable().optional(),
  signal: z.string().optional(),
  /** What its programs listen on, looked at while they print something. */
  ports: z.array(OpenPort).optional(),
});
export type TerminalSummary = z.infer<typeof TerminalSummary>;

export const OpenTerminalBody = z
  .object({
    /** Runs this line instead of a shell that waits for input. */
    command: z.string().trim().min(1).max(10_000).optional(),
    /** What the terminal is called; the command or the shell unless given. */
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

/** What a browser says to terminals over the socket. */
export const TerminalClientMessage = z.discriminatedUnion('type', [
  /** Follows all terminals: which there are and how they stand. */
  z.object({ type: z.literal('terminals:subscribe') }),
  z.object({ type: z.literal('terminal:attach'), terminalId, offset: offset.optional() }),
  z.object({ type: z.literal('terminal:detach'), terminalId }),
  z.object({ type: z.literal('terminal:input'), terminalId, data: z.string().max(maxInput) }),
  z.object({ type: z.literal('terminal:resize'), terminalId, cols, rows }),
  z.object({ type: z.literal('terminal:ack'), terminalId, offset }),
]);
export type TerminalClientMessage = z.infer<typeof TerminalClientMessage>;

/** What the server says of terminals; their output comes in binary frames. */
export const TerminalServerMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('terminal:state'),
    terminalId,
    /** Where the output that follows begins. A reader at another offset clears its screen first. */
    offset,
    /** What was printed before this message: a replay up to here, news after it. */
    end: offset,
    cols,
    rows,
    running: z.boolean(),
    /** Whether this reader answers when the program asks its terminal something; exactly one does. */
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
    /** Of sessions whose agent started something that listens. */
    agentPorts: z.array(AgentPorts).optional(),
  }),
]);
export type TerminalServerMessage = z.infer<typeof TerminalServerMessage>;
