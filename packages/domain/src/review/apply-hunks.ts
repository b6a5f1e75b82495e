/** The lines of a hunk, each with its sign and its line ending. */
type HunkLines = { readonly oldStart: number; readonly newStart: number; readonly lines: readonly string[] };

/**
 * Applies chosen hunks of a patch to the old text. It uses the line numbers of the patch and never searches, because
 * the patch must have been made from this text. Null if a line differs from the patch.
 */
export function applyHunks(oldText: string, patch: string, chosen: ReadonlySet<number>): string | null {
  const before = splitLines(oldText);
  const result: string[] = [];
  let at = 0;
  for (const [index, { oldStart, lines }] of hunksOf(patch).entries()) {
    if (!chosen.has(index)) continue;
    const oldLines = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
    const newLines = lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1));
    // A hunk without old lines goes after the line it names.
    const start = oldLines.length === 0 ? oldStart : oldStart - 1;
    if (start < at || oldLines.some((line, offset) => before[start + offset] !== line)) return null;
    result.push(...before.slice(at, start), ...newLines);
    at = start + oldLines.length;
  }
  return [...result, ...before.slice(at)].join('');
}

/** Reverts the chosen hunks in the new text. */
export function revertHunks(newText: string, patch: string, chosen: ReadonlySet<number>): string | null {
  return applyHunks(newText, reversed(patch), chosen);
}

function reversed(patch: string): string {
  return hunksOf(patch)
    .map(({ oldStart, newStart, lines }) => {
      const flipped = lines.map((line) => (line[0] === '+' ? '-' : line[0] === '-' ? '+' : ' ') + line.slice(1));
      const count = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length;
      const head = `@@ -${newStart},${count('-')} +${oldStart},${count('+')} @@\n`;
      return (
        head + flipped.map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('')
      );
    })
    .join('');
}

export const countHunks = (patch: string): number => hunksOf(patch).length;

function hunksOf(patch: string): HunkLines[] {
  const hunks: { oldStart: number; newStart: number; lines: string[] }[] = [];
  for (const line of splitLines(patch)) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (header) {
      hunks.push({ oldStart: Number(header[1]), newStart: Number(header[2]), lines: [] });
      continue;
    }
    const hunk = hunks.at(-1);
    const sign = line[0];
    if (!hunk) continue;
    if (sign === ' ' || sign === '+' || sign === '-') hunk.lines.push(line);
    // "\ No newline at end of file" refers to the line before it.
    else if (sign === '\\') hunk.lines.push((hunk.lines.pop() ?? '').replace(/\n$/, ''));
  }
  return hunks;
}

/** Splits into lines, keeping line endings. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
