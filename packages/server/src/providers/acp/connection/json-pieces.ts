import { randomUUID } from 'node:crypto';

const pieceLength = 16 * 1024;

/**
 * A message as one line of JSON, in pieces: encoding a file of many megabytes at once would block the event loop and
 * keep the file in memory twice.
 */
export function* jsonPieces(message: unknown): Generator<string> {
  const mark = randomUUID();
  const long: string[] = [];
  const setAside = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > pieceLength ? `${mark}${long.push(value)}` : value;
  const text = JSON.stringify(message, setAside);
  if (long.length === 0) return yield `${text}\n`;
  const [head = '', ...rest] = text.split(`"${mark}`);
  yield head;
  for (const part of rest) {
    const end = part.indexOf('"');
    yield '"';
    yield* encoded(long[Number(part.slice(0, end)) - 1] ?? '');
    yield part.slice(end);
  }
  yield '\n';
}

function* encoded(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = from + pieceLength;
    // Don't cut between the halves of a surrogate pair: each would be written as its own escape.
    const last = text.charCodeAt(to - 1);
    if (last >= 0xd800 && last <= 0xdbff) to += 1;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
}
