/**
 * Only text that certainly runs from left to right gets a hanging indent. In the other direction, a negative indent
 * would push the first line out of view. The limit keeps a long line of symbols cheap.
 */
const leftToRight = /^([\t ]*)[\t -@[-`{-~]{0,200}[A-Za-z]/;
const tabSize = 4;
/** A deeper indent would leave too little space in a narrow column. */
const mostSteps = 6;

/**
 * Where the rest of a wrapped line starts, in steps of four columns: to the right of the line's own indent. Whole tab
 * stops keep the tabs in the line where they were. 0 for a line that doesn't hang.
 */
export function hangingSteps(text: string): number {
  const indent = leftToRight.exec(text)?.[1];
  if (indent === undefined) return 0;
  let columns = 0;
  for (const character of indent.slice(0, mostSteps * tabSize))
    columns = character === '\t' ? columns - (columns % tabSize) + tabSize : columns + 1;
  return Math.min(mostSteps, Math.floor(columns / tabSize) + 1);
}
