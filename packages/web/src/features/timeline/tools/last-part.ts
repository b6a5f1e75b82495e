const maxLines = 40;
const maxCharacters = 6000;

/** The end of a long output, from the start of a line, and how many characters stand before it. */
export function lastPart(output: string): { text: string; hidden: number } {
  let start = output.length;
  for (let lines = 0; lines < maxLines && start > 0; lines += 1) start = output.lastIndexOf('\n', start - 2) + 1;
  if (output.length - start > maxCharacters) {
    const cut = output.length - maxCharacters;
    const lineStart = output.indexOf('\n', cut) + 1;
    start = lineStart > 0 && lineStart < output.length ? lineStart : cut;
  }
  // A few hidden lines are not worth a click.
  return start < 200 ? { text: output, hidden: 0 } : { text: output.slice(start), hidden: start };
}

/** The last so many characters. */
export function widen(output: string, characters: number): { text: string; hidden: number } {
  const hidden = Math.max(0, output.length - characters);
  return { text: hidden === 0 ? output : output.slice(hidden), hidden };
}
