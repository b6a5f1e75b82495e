import { randomUUID } from 'node:crypto';
import type { Guardian } from './guardian.ts';
import { createLimitMarker, newServerDigits } from './limit-mark.ts';
import type { Marks } from './process-table.ts';

export type ProcessCommand = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. Nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
};

/** A command whose processes can all be found again, whatever they do to detach. */
export type MarkedCommand = ProcessCommand & { readonly marks: Marks };

/** The name of the mark in the environment. It separates agents' processes from those of the user's terminals. */
export type MarkName = 'LIMINAL_AGENT_MARK' | 'LIMINAL_TERMINAL_MARK';

export type ProcessMarker = (command: ProcessCommand, name: MarkName) => Promise<MarkedCommand>;

/**
 * Marks commands with the server's mark, their own mark, and a resource limit. Everything a server starts must share
 * one marker: two markers would assign the same limit twice, and ending one command would end the other.
 */
export function createProcessMarker(guardian?: Guardian): ProcessMarker {
  const withLimit = createLimitMarker(guardian?.digits ?? newServerDigits());
  const [serverName, serverValue] = guardian?.mark.split('=') ?? [];
  return async (given, name) => {
    const value = randomUUID();
    const env: Record<string, string> = { ...given.env, [name]: value };
    if (serverName !== undefined && serverValue !== undefined) env[serverName] = serverValue;
    const { command, args, value: limit } = await withLimit(given);
    return { command, args, cwd: given.cwd, env, marks: { mark: `${name}=${value}`, limit } };
  };
}
