/** A test title that names an acceptance id; for ids that ask for figures, also a string of a benchmark. */
export type Citation = { id: string; file: string; title: string };

const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const anyId = /\b(?:TC-\d+\.\d+[a-z]?|(?:NFR|PM|MM|BR|G|RV|CP|WT|CM|FL|TM|IN|CL|CX|PK)-\d+)(?![\w.])/g;
const abbreviated = /\bTC-\d+\.\d+[a-z]\s?[-–/]\s?[a-z]\b/;
const leadingId = /^(?:TC-\d+\.\d|(?:NFR|PM|MM|BR|G|RV|CP|WT|CM|FL|TM|IN|CL|CX|PK)-\d)/;
const titleCall = /\b(?:test|it|describe|suite)(?:\.\w+)*\(\s*$/;
const neverRun = /\.(?:skip|todo)(?:\.\w+)*\(\s*$/;

/**
 * The ids that the titles of a test file cite. A title is the first argument of a test or describe, or any string that
 * begins with an id, so tables of cases count too. Comments and skipped tests don't.
 */
export function citationsInTests(file: string, source: string): Citation[] {
  return strings(source)
    .filter(({ text, before }) => !neverRun.test(before) && (leadingId.test(text) || titleCall.test(before)))
    .flatMap(({ text }) => idsIn(text).map((id) => ({ id, file, title: text })));
}

/** Cases that ask for figures: a benchmark shows them. */
const isShownByFigures = (id: string): boolean => id.startsWith('NFR-') || ['RV-8', 'WT-6', 'CX-3'].includes(id);

/** The ids of such cases that any string of a benchmark cites. */
export function citationsInBench(file: string, source: string): Citation[] {
  return strings(source).flatMap(({ text }) =>
    idsIn(text)
      .filter(isShownByFigures)
      .map((id) => ({ id, file, title: text })),
  );
}

function idsIn(text: string): string[] {
  const short = abbreviated.exec(text)?.[0];
  // Returned unchanged: it isn't a known id, so the report asks to spell it out.
  return short === undefined ? [...new Set(text.match(anyId) ?? [])] : [short];
}

function strings(source: string): { text: string; before: string }[] {
  return [...source.matchAll(token)]
    .filter(([found]) => !found.startsWith('/'))
    .map((match) => ({
      text: match[0].slice(1, -1),
      before: source.slice(Math.max(0, match.index - 80), match.index),
    }));
}
