import type { Client } from '@liminal/client/connect';
import type { LightClient } from '@liminal/client/connect-light';
import type { ExitCode } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

export type Option = {
  readonly type: 'string' | 'boolean';
  /** What stands for its value in the help. */
  readonly value?: string;
  readonly text: string;
};

/** What a command gets: arguments, flags, and the world around it. */
export type Invocation = {
  readonly args: readonly string[];
  readonly flag: (name: string) => string | undefined;
  readonly has: (name: string) => boolean;
  readonly terminal: Terminal;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** The client of the server that is meant. A failure has been reported already. */
  readonly client: () => Promise<Client | null>;
  /** The same for a command that only lists and waits: it starts sooner. */
  readonly lightClient: () => Promise<LightClient | null>;
};

export type Run = (invocation: Invocation) => Promise<ExitCode>;

export type Command = {
  readonly summary: string;
  /** The arguments after the name, as the help shows them; those in brackets are optional. */
  readonly usage: string;
  readonly options?: Readonly<Record<string, Option>>;
  readonly more?: readonly string[];
  /** Loaded only when the command is used. */
  readonly load: () => Promise<{ readonly run: Run }>;
};
