import type { Bench, BenchResult } from '../bench.ts';
import type { Machine } from './machine.ts';
import { markdownTable } from './table.ts';

export type Measured = {
  readonly bench: Bench;
  readonly result: BenchResult | null;
  readonly seconds: number;
  /** The share of processor time that other machines on the same host took (CPU steal); `null` if unknown. */
  readonly stolen: number | null;
};
export type Run = {
  readonly machine: Machine;
  readonly date: string;
  readonly command: string;
  readonly measured: readonly Measured[];
};

const begin = '<!-- bench:begin (everything between here and bench:end is written by npm run bench) -->';
const end = '<!-- bench:end -->';

/** Path of a plot, relative to the document. */
export const plotPath = (name: string): string => `images/bench-${name}.svg`;

/** Replaces the measured part of the document and keeps the text around it. */
export function withRun(document: string, run: Run): string {
  const part = `${begin}\n\n${describeRun(run)}\n${end}`;
  const from = document.indexOf('<!-- bench:begin');
  const to = document.indexOf(end);
  if (from === -1 || to < from) return `${document.trimEnd()}\n\n${part}\n`.trimStart();
  return document.slice(0, from) + part + document.slice(to + end.length);
}

function describeRun({ machine, date, command, measured }: Run): string {
  const facts = Object.entries(machine).map(([name, value]) => `- ${name}: ${value}`);
  return [
    '## The last full run',
    '',
    `- date: ${date}`,
    `- command: \`${command}\``,
    ...facts,
    '',
    ...measured.flatMap(describeBench),
  ].join('\n');
}

/** The duration of a measurement, and its CPU steal. */
export function costOf({ seconds, stolen }: Pick<Measured, 'seconds' | 'stolen'>): string {
  const others = stolen === null ? '' : `, ${(stolen * 100).toFixed(1)} % CPU steal`;
  return `${Math.round(seconds)} s${others}`;
}

function describeBench({ bench, result, ...cost }: Measured): string[] {
  const heading = [`### ${bench.title}`, '', `${bench.measures} (\`--only ${bench.name}\`, ${costOf(cost)})`, ''];
  if (!result) return [...heading, '**It failed and has no figures.**', ''];
  const { rows, plots = [], remarks = [] } = result;
  return [
    ...heading,
    markdownTable(rows),
    '',
    ...remarks.flatMap((remark) => [`${remark}`, '']),
    ...plots.flatMap(({ name, title }) => [`![${title}](${plotPath(name)})`, '']),
  ];
}
