import { execFile } from 'node:child_process';
import type { ProcessEntry, ProcessTable } from './process-table.ts';

/** Every process with its whole command line, followed by its environment: `-E` on macOS, `-e` on the BSDs. */
const psArguments = (platform: NodeJS.Platform): readonly string[] => [
  '-A',
  platform === 'darwin' ? '-E' : '-e',
  '-ww',
  '-o',
  'pid=,ppid=,pgid=,stat=,command=',
];

const maxOutput = 64 * 1024 * 1024;

/** The output of `ps`, or null if it can't run. */
function runPs(): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { maxBuffer: maxOutput, env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' } };
    execFile('ps', [...psArguments(process.platform)], options, (error, output) =>
      resolve(error === null ? output : null),
    );
  });
}

const line = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)(?:\s(.*))?$/;

/** The process table from `ps`: pid, parent, group, state, command line and environment. */
export async function readPs(run: () => Promise<string | null> = runPs): Promise<ProcessTable | null> {
  const output = await run();
  if (output === null) return null;
  const entries: ProcessEntry[] = [];
  const texts = new Map<number, string>();
  for (const text of output.split('\n')) {
    const [, pid, parent, group, state = '', rest = ''] = line.exec(text) ?? [];
    // Z: dead but not yet reaped.
    if (pid === undefined || state.startsWith('Z')) continue;
    entries.push({ pid: Number(pid), parent: Number(parent), group: Number(group) });
    texts.set(Number(pid), rest);
  }
  return {
    entries,
    // The command line and the environment look alike here. Marks are random, so only the guardian, which has the
    // server's mark as an argument, could be mistaken. The sweep of an agent uses that agent's own mark.
    isMarked: (pid, { mark }) => mark !== undefined && ` ${texts.get(pid) ?? ''} `.includes(` ${mark} `),
  };
}
