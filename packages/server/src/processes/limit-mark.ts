import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute } from 'node:path';

type Program = { readonly command: string; readonly args: readonly string[] };

/** How to start a program so it and all its descendants carry a mark. `value` is null if marks aren't possible. */
export type MarkedProgram = Program & { readonly value: string | null };

const agentDigits = 6;

/** The digits that all agents of one server share. Values are years in microseconds, so the limit is never reached. */
export const newServerDigits = (): string => String(randomInt(100_000_000_000, 280_000_000_000));

/**
 * Marks an agent with an unused resource limit: the CPU time of a real-time process. Unlike a mark in the environment,
 * it stays with a tool that clears its environment, calls `setsid` and loses its parents, because limits are inherited
 * for life, and `/proc` shows them. Needs `prlimit` of util-linux; without it, the other marks must do.
 */
export function createLimitMarker(serverDigits: string): (program: Program) => Promise<MarkedProgram> {
  let made = 0;
  const prlimit = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) => existsSync(path));
  const wrap = (value: string, { command, args }: Program): Program => ({
    command: prlimit ?? command,
    args: [`--rttime=${value}:${value}`, '--', command, ...args],
  });
  const nextValue = (): string => `${serverDigits}${String((made += 1)).padStart(agentDigits, '0')}`;
  /** If the system refuses, for whatever reason, agents must still start. */
  let works: Promise<boolean> | undefined;
  const tryOnce = (): Promise<boolean> =>
    new Promise((resolve) => {
      if (prlimit === undefined) return resolve(false);
      const { command, args } = wrap(`${serverDigits}${'0'.repeat(agentDigits)}`, { command: prlimit, args: ['-V'] });
      execFile(command, [...args], { env: {} }, (error) => resolve(error === null));
    });

  return async (program) => {
    works ??= tryOnce();
    // A command that can't be started fails with its own error.
    if (!isAbsolute(program.command) || !(await isExecutable(program.command)) || !(await works))
      return { ...program, value: null };
    const value = nextValue();
    return { ...wrap(value, program), value };
  };
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
