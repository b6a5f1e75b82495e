import { seed } from './torture.ts';

/** One line per suite and run, always of this form, so that a table can be made of a night's output. */
export function printFigures(suite: string, figures: Readonly<Record<string, number | string>>): void {
  const pairs = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  console.info(`figures: ${suite} | seed ${seed} | ${pairs.join(' | ')}`);
}

export const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
