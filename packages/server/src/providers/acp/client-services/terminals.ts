import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { AgentExit, AgentProcess, AgentSpawner } from '../../../processes/spawn-agent.ts';
import { asCount, asRecord, asRecords, asText, asTexts, asNonEmptyString } from '../../kit/read-json.ts';
import { type ByteTail, createByteTail } from './byte-tail.ts';
import { AgentRefused } from '../connection/failures.ts';
import { realPathOf } from './project-files.ts';

/** Commands that an agent runs through us: inside the project folder, and ended with the session. */
export type Terminals = {
  /** Serves one `terminal/*` request. */
  request(method: string, params: unknown): Promise<unknown>;
  /** What a terminal has printed so far. */
  outputOf(terminalId: string): string;
  close(): Promise<void>;
};

export type TerminalsOptions = {
  readonly spawner: AgentSpawner;
  /** A real path. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly newId: () => string;
  /** Something was printed. */
  onOutput(terminalId: string, text: string): void;
};

type Terminal = {
  readonly agent: AgentProcess;
  readonly output: ByteTail;
  exit: AgentExit | null;
};

const largestOutput = 1024 * 1024;
const mostTerminals = 64;
const unpacedBytes = 16 * 1024 * 1024;
const invalidParams = -32602;
const resourceNotFound = -32002;
const methodNotFound = -32601;

export function createTerminals({ spawner, root, env, newId, onOutput }: TerminalsOptions): Terminals {
  const terminals = new Map<string, Terminal>();
  let isClosed = false;

  function find(params: unknown): Terminal {
    const terminal = terminals.get(asText(asRecord(params)['terminalId']) ?? '');
    if (!terminal) throw new AgentRefused(resourceNotFound, 'Resource not found: no such terminal');
    return terminal;
  }

  async function create(params: unknown): Promise<{ terminalId: string }> {
    const raw = asRecord(params);
    const command = asNonEmptyString(raw['command']);
    if (command === undefined) throw new AgentRefused(invalidParams, 'The command is missing');
    if (terminals.size >= mostTerminals) throw new AgentRefused(invalidParams, 'Too many terminals are open');
    const cwd = await realPathOf(root, asNonEmptyString(raw['cwd']) ?? root);
    const given = asRecords(raw['env']).map((entry) => [asText(entry['name']) ?? '', asText(entry['value']) ?? '']);
    const agent = await spawner
      .spawn({ ...shellCommand(command, asTexts(raw['args'])), cwd, env: { ...env, ...Object.fromEntries(given) } })
      .catch((error: unknown) => {
        throw new AgentRefused(invalidParams, `${command} can't be started (${(error as Error).message})`);
      });
    if (isClosed) await agent.kill();
    agent.stdin.end();
    const terminalId = newId();
    const limit = Math.min(asCount(raw['outputByteLimit']) ?? largestOutput, largestOutput);
    const terminal: Terminal = { agent, output: createByteTail(limit), exit: null };
    terminals.set(terminalId, terminal);
    const decoder = new StringDecoder('utf8');
    agent.stdout.on('data', (bytes: Buffer) => {
      terminal.output.push(bytes);
      onOutput(terminalId, decoder.write(bytes));
      if (agent.outputBytes > unpacedBytes) pace(agent.stdout);
    });
    void agent.exited.then((exit) => {
      terminal.exit = exit;
    });
    return { terminalId };
  }

  return {
    async request(method, params) {
      switch (method) {
        case 'terminal/create':
          return create(params);
        case 'terminal/output': {
          const { output, exit } = find(params);
          return { output: output.read(), truncated: output.isCut(), ...(exit && { exitStatus: exitStatus(exit) }) };
        }
        case 'terminal/wait_for_exit':
          return exitStatus(await find(params).agent.exited);
        case 'terminal/kill':
          await find(params).agent.kill();
          return {};
        case 'terminal/release': {
          const { agent } = find(params);
          terminals.delete(asText(asRecord(params)['terminalId']) ?? '');
          await agent.kill();
          return {};
        }
        default:
          throw new AgentRefused(methodNotFound, `Method not found: ${method}`);
      }
    },
    outputOf: (terminalId) => terminals.get(terminalId)?.output.read() ?? '',
    async close() {
      isClosed = true;
      await Promise.all([...terminals.values()].map(({ agent }) => agent.kill()));
    },
  };
}

/** Reads a command that prints endlessly only as fast as a terminal would, so it doesn't starve others. */
function pace(stdout: Readable): void {
  stdout.pause();
  setTimeout(() => stdout.resume(), 2);
}

const exitStatus = ({ code, signal }: AgentExit): object => ({ exitCode: code, signal });

/**
 * The shell only merges stderr into stdout, in terminal order; the command and its arguments are passed unchanged. A
 * command given as one line, without arguments, is meant for a shell.
 */
function shellCommand(command: string, args: readonly string[]): { command: string; args: readonly string[] } {
  const isLine = args.length === 0 && /\s/.test(command);
  return isLine
    ? { command: '/bin/sh', args: ['-c', `exec 2>&1\n${command}`] }
    : { command: '/bin/sh', args: ['-c', 'exec "$0" "$@" 2>&1', command, ...args] };
}
