export type Position = { readonly line: number; readonly column: number };
/** `source`: the index of the file in the source map. Lines and columns count from 0. */
export type Origin = Position & { readonly source: number };

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Uint8Array(128).map((_, code) => Math.max(0, digits.indexOf(String.fromCharCode(code))));
const [comma, semicolon] = [',', ';'].map((mark) => mark.charCodeAt(0));

/**
 * Where these positions of a build are in its sources. It reads through the mappings of a source map once and keeps
 * none of them: an index of all would take 33 MB and a second of the main thread.
 */
export function findOrigins(mappings: string, wanted: readonly Position[]): readonly (Origin | null)[] {
  const origins: (Origin | null)[] = wanted.map(() => null);
  const lines = new Set(wanted.map(({ line }) => line));
  const last = Math.max(...lines);
  let line = 0;
  /** The column in the build, then the source, its line, its column, and a name: each as the sum of all before. */
  const sums = [0, 0, 0, 0, 0];
  let field = 0;
  let [value, shift] = [0, 0];
  const endSegment = (): void => {
    const [column = 0, source = 0, sourceLine = 0, sourceColumn = 0] = sums;
    // Only a segment of four fields or more has a source.
    if (field >= 4 && lines.has(line))
      for (const [index, position] of wanted.entries())
        if (position.line === line && column <= position.column)
          origins[index] = { source, line: sourceLine, column: sourceColumn };
    field = 0;
  };
  for (let at = 0; at < mappings.length && line <= last; at += 1) {
    const code = mappings.charCodeAt(at);
    if (code === comma || code === semicolon) {
      endSegment();
      if (code === semicolon) {
        line += 1;
        sums[0] = 0;
      }
      continue;
    }
    const bits = values[code] ?? 0;
    // Five bits per digit, the lowest first; the sixth says whether another follows.
    value += (bits & 31) << shift;
    shift += 5;
    if ((bits & 32) !== 0) continue;
    // The lowest bit is the sign.
    sums[field] = (sums[field] ?? 0) + ((value & 1) === 1 ? -(value >> 1) : value >> 1);
    field += 1;
    [value, shift] = [0, 0];
  }
  endSegment();
  return origins;
}
