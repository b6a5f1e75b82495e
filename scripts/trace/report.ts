import type { Acceptance, AcceptanceCase } from './acceptance.ts';
import type { Citation } from './citations.ts';

/** The list of all ids, and a sentence for each problem. */
export type Report = { lines: string[]; problems: string[] };

/** Compares the cases with the citations. */
export function report({ claimedThrough, cases }: Acceptance, citations: Citation[]): Report {
  const byId = Map.groupBy(citations, ({ id }) => id);
  const isDue = ({ milestone }: AcceptanceCase) => milestone <= claimedThrough;
  const missing = cases.filter((one) => isDue(one) && !byId.has(one.id));
  const known = new Set(cases.map(({ id }) => id));
  const unknown = citations.filter(({ id }) => !known.has(id));

  const lines = cases.flatMap((one) => {
    const cited = (byId.get(one.id) ?? []).map(({ file, title }) => `    ${file}: ${title}`);
    const state = isDue(one) ? (cited.length > 0 ? 'shown' : 'MISSING') : `to come in milestone ${one.milestone}`;
    return [`${one.id} (${state}): ${one.words}`, ...cited];
  });
  const due = cases.filter(isDue).length;
  lines.push(`${due - missing.length} of ${due} due cases are shown, ${cases.length - due} are to come.`);
  return {
    lines,
    problems: [
      ...missing.map(({ id, milestone }) => `${id} is due since milestone ${milestone} and no test cites it.`),
      ...unknown.map(
        ({ id, file, title }) => `${file} cites ${id}, which docs/acceptance.md does not list: "${title}"`,
      ),
    ],
  };
}
