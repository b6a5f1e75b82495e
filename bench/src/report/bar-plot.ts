import { figure } from './number-words.ts';

/** Horizontal bars: one group per label, one bar per series in it. */
export type BarPlot = {
  /** Part of the file's name. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly series: readonly string[];
  readonly groups: readonly { readonly label: string; readonly values: readonly number[] }[];
};

const colours = ['#2f6feb', '#9aa4b2', '#d9822b', '#3a9d6e'];
const width = 720;
const left = 210;
const right = 90;
const barHeight = 14;
const groupGap = 12;
const top = 58;

/** Horizontal bars from zero, each with its number, so nothing has to be read from the axis. */
export function barPlotSvg({ title, unit, series, groups }: BarPlot): string {
  const groupHeight = series.length * barHeight + groupGap;
  const height = top + groups.length * groupHeight + 10;
  const largest = Math.max(...groups.flatMap(({ values }) => values.filter(Number.isFinite)), Number.MIN_VALUE);
  const lengthOf = (value: number) => ((Number.isFinite(value) ? value : 0) / largest) * (width - left - right);

  const legend = series.map((name, index) => {
    const x = left + index * 160;
    return `<rect x="${x}" y="32" width="10" height="10" fill="${colourOf(index)}"/><text x="${x + 15}" y="41">${escaped(name)}</text>`;
  });
  const bars = groups.flatMap(({ label, values }, group) => {
    const y = top + group * groupHeight;
    const middle = y + (series.length * barHeight) / 2 + 4;
    return [
      `<text x="${left - 10}" y="${round(middle)}" text-anchor="end">${escaped(label)}</text>`,
      ...values.map((value, index) => {
        const barY = y + index * barHeight;
        const length = round(Math.max(1, lengthOf(value)));
        return `<rect x="${left}" y="${barY}" width="${length}" height="${barHeight - 2}" fill="${colourOf(index)}"/><text x="${round(left + length + 6)}" y="${barY + 10}">${figure(value)}</text>`;
      }),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="11" fill="#24292f">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="10" y="20" font-size="13" font-weight="600">${escaped(`${title} (${unit})`)}</text>`,
    ...legend,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}

const colourOf = (index: number) => colours[index % colours.length] ?? '#000000';
const round = (value: number) => Math.round(value * 10) / 10;
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
