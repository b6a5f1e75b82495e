/** One figure of a suite, in the form that suites print: `figure | suite | measure | figure`. */
export type Figure = { readonly suite: string; readonly measure: string; readonly figure: string };

const begin = '<!-- torture:begin (everything between here and torture:end is written by npm run torture) -->';
const end = '<!-- torture:end -->';
const printed = /figure \| ([^|]+) \| ([^|]+) \| ([^\n]+)/g;
const row = /^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm;

/** The figures in the output of a run. */
export const figuresIn = (output: string): Figure[] =>
  [...output.matchAll(printed)].map(([, suite = '', measure = '', figure = '']) => ({
    suite: suite.trim(),
    measure: measure.trim(),
    figure: figure.trim(),
  }));

/** The document with these figures in its table. Older figures that weren't measured now stay. */
export function withFigures(document: string, figures: readonly Figure[], about: readonly string[]): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error('The document has no markers for the figures.');
  const key = ({ suite, measure }: Figure): string => `${suite} ${measure}`;
  const now = new Set(figures.map(key));
  const kept = tableRows(document.slice(from, to)).filter((each) => !now.has(key(each)));
  const rows = [...kept, ...figures].toSorted((a, b) => key(a).localeCompare(key(b)));
  const table = [
    '| suite | measure | figure |',
    '| :-- | :-- | :-- |',
    ...rows.map(({ suite, measure, figure }) => `| ${suite} | ${measure} | ${figure} |`),
  ];
  const text = [begin, '', ...about.map((line) => `- ${line}`), '', ...table, '', end].join('\n');
  return document.slice(0, from) + text + document.slice(to + end.length);
}

const tableRows = (text: string): Figure[] =>
  [...text.matchAll(row)]
    .map(([, suite = '', measure = '', figure = '']) => ({ suite, measure, figure }))
    .filter(({ suite }) => suite !== 'suite' && !suite.startsWith(':'));
