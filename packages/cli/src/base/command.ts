import type { Client } from '@liminal/client/connect';
import type { LightClient } from '@liminal/client/connect-light';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export type Option = {
  readonly type: 'string' | 'boolean';
  /** The placeholder of its value in the help. */
  readonly value?: string;
  readonly text: string;
};

/** What a command gets: arguments, flags and its environment. */
export type Invocation = {
  readonly args: readonly string[];
  readonly flag: (name: string) => string | undefined;
  readonly has: (name: string) => boolean;
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The client of the selected server. A failure has already been reported. */
  readonly client: () => Promise<Client | null>;
  /** The same for a command that only lists and waits. It starts faster. */
  readonly lightClient: () => Promise<LightClient | null>;
};

export type Run = (invocation: Invocation) => Promise<ExitCode>;

export type Command = {
  readonly summary: string;
  /** The arguments as the help shows them. Those in brackets are optional. */
  readonly usage: string;
  readonly options?: Readonly<Record<string, Option>>;
  readonly more?: readonly string[];
  /** Loaded only when the command is used. */
  readonly load: () => Promise<{ readonly run: Run }>;
};
