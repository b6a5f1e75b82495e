import { report } from './report.ts';
import { seed } from './torture.ts';

/** Prints all figures of one fault in one line, for the table in docs/reliability.md. */
export function printFigures(fault: string, figures: Readonly<Record<string, number | string>>): void {
  const pairs = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  report('Faults', fault, `${pairs.join('; ')} (seed ${seed})`);
}

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
