import { LineTooLong, maxLineBytes } from '../../kit/line-limit.ts';

export type JsonLines = {
  /** Feeds bytes; throws `LineTooLong`. */
  push(bytes: Uint8Array): void;
  /** Lines that weren't JSON objects, such as log output on stdout. */
  readonly strayLines: number;
};

const newline = 0x0a;

/**
 * Splits a byte stream into JSON objects, one per line. Other lines are counted and skipped, so an agent that prints a
 * log line to stdout still works.
 */
export function createJsonLines(
  onObject: (value: Record<string, unknown>) => void,
  onStray: (line: string) => void = () => {},
  limit: number = maxLineBytes,
): JsonLines {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let strayLines = 0;

  function hold(piece: Uint8Array): void {
    held += piece.length;
    if (held > limit) throw new LineTooLong(limit);
    if (piece.length > 0) pieces.push(piece);
  }

  function endLine(): void {
    const line = Buffer.concat(pieces, held).toString('utf8').trim();
    pieces = [];
    held = 0;
    if (line === '') return;
    const value = parse(line);
    if (value !== null) return onObject(value);
    strayLines += 1;
    onStray(line);
  }

  return {
    push(bytes) {
      let from = 0;
      for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, from)) {
        hold(bytes.subarray(from, at));
        endLine();
        from = at + 1;
      }
      hold(bytes.subarray(from));
    },
    get strayLines() {
      return strayLines;
    },
  };
}

function parse(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
