import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { programFolder } from '../program/program-files.ts';
import { newServerDigits } from './limit-mark.ts';
import type { ProcessLog } from './process-log.ts';

export type Guardian = {
  /** `NAME=value` in the environment of every agent. */
  readonly mark: string;
  /** The common prefix of the limits that mark its agents. */
  readonly digits?: string;
  add(group: number): void;
  drop(group: number): void;
  /** The server ends cleanly and has already ended its agents. */
  close(): Promise<void>;
};

const serverMarkName = 'LIMINAL_SERVER_MARK';
const script = `${programFolder}packages/server/src/processes/guardian.sh`;

/**
 * Starts the small process that ends all agents when the server is gone, however that happens: `kill -9` closes the
 * pipe too. A shell script, because it needs only 1 MB and is always available. It never keeps the server from exiting.
 */
export function startGuardian({ log }: { log: ProcessLog }): Guardian {
  const mark = `${serverMarkName}=${randomUUID()}`;
  const digits = newServerDigits();
  const groups = new Set<number>();
  let closing = false;
  let restarts = 0;
  let child = start();

  function start(): ChildProcess {
    const started = spawn('/bin/sh', [script, mark, digits], {
      detached: true,
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    started.unref();
    (started.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    started.stdin?.on('error', () => {}); // The guardian is gone; the exit handler reports it.
    started.once('error', (error) =>
      log.warn({ error: error.message }, "couldn't start the guardian of agent processes"),
    );
    started.once('exit', () => {
      if (closing) return;
      log.warn({ restarts }, 'the guardian of agent processes exited');
      if (restarts >= 5) return;
      restarts += 1;
      child = start();
      for (const group of groups) write(`add ${group}`);
    });
    return started;
  }

  const write = (line: string): void => void child.stdin?.write(`${line}\n`);

  return {
    mark,
    digits,
    add(group) {
      groups.add(group);
      write(`add ${group}`);
    },
    drop(group) {
      if (groups.delete(group)) write(`drop ${group}`);
    },
    close() {
      if (closing) return Promise.resolve();
      closing = true;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve();
      return new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.ref();
        child.stdin?.end('bye\n');
      });
    },
  };
}
