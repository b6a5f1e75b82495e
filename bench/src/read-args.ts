import type { Mode } from './bench.ts';

export type Wishes = {
  readonly mode: Mode;
  readonly only: readonly string[];
  /** Whether to install and measure alternatives besides ours. */
  readonly peers: boolean;
};

/** The parsed command line, or a sentence about what is wrong with it. */
export function readArgs(args: readonly string[], names: readonly string[]): Wishes | string {
  let mode: Mode = 'full';
  let only = names;
  let peers = false;
  for (let at = 0; at < args.length; at += 1) {
    if (args[at] === '--quick') mode = 'quick';
    else if (args[at] === '--peers') peers = true;
    else if (args[at] === '--only') only = (args[(at += 1)] ?? '').split(',');
    else return `There is no flag "${args[at]}". Known are --quick, --peers and --only NAME,NAME.`;
  }
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) return `There is no bench "${unknown}". The benches are: ${names.join(', ')}.`;
  // In the order of the list, whatever the order of the arguments.
  return { mode, only: names.filter((name) => only.includes(name)), peers };
}
