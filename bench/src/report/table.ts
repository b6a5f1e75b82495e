import type { Row } from '../bench.ts';
import { judge, limitOf } from '../judge.ts';
import { figure, percent } from './number-words.ts';

const header = ['measure', 'value', 'unit', 'noise', 'baseline', 'ratio', 'budget', 'verdict'];
const isNumeric = [false, true, false, true, true, true, true, false];

function cellsOf(row: Row): string[] {
  const { measure, value, unit, noise, baseline, ratio, budget } = row;
  const verdict = judge(row);
  return [
    measure,
    figure(value),
    unit,
    noise === undefined ? '' : percent(noise),
    baseline === undefined ? '' : figure(baseline),
    ratio === undefined ? '' : `${figure(ratio)}×`,
    budget === undefined ? '' : limitOf(budget, unit),
    verdict === 'none' ? '' : verdict,
  ];
}

/** For a terminal: aligned columns. */
export function textTable(rows: readonly Row[]): string {
  const lines = [header, ...rows.map(cellsOf)];
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return lines.map((cells) => cells.map(pad).join('  ').trimEnd()).join('\n');
}

/** For a document. A missed budget stands out. */
export function markdownTable(rows: readonly Row[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = isNumeric.map((numeric) => (numeric ? '--:' : ':--'));
  const emphasised = (cells: string[]) => cells.map((cell) => (cell === 'missed' ? '**missed**' : cell));
  return [header, rule, ...rows.map(cellsOf).map(emphasised)].map(line).join('\n');
}
