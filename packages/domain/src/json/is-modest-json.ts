/** Our own messages are far below these limits. Anything above them could take seconds and gigabytes to parse. */
const [deepest, mostParts] = [64, 200_000];
const [quote, backslash, comma, openList, closeList, openObject, closeObject] = [34, 92, 44, 91, 93, 123, 125];

/**
 * Whether a JSON text is cheap to parse: checks its depth and its number of values without creating any of them.
 * Doesn't check whether it is valid. Long strings are skipped as a whole.
 */
export function isModestJson(text: string): boolean {
  let [depth, parts] = [0, 0];
  for (let place = 0; place < text.length; place += 1) {
    switch (text.charCodeAt(place)) {
      case quote:
        place = endOfString(text, place);
        break;
      case openList:
      case openObject:
        depth += 1;
        parts += 1;
        break;
      case closeList:
      case closeObject:
        depth -= 1;
        break;
      case comma:
        parts += 1;
        break;
    }
    if (depth > deepest || parts > mostParts) return false;
  }
  return true;
}

/** The end of the string that starts here; the end of the text if it isn't closed. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end, start)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quoteAt: number, start: number): boolean {
  let before = quoteAt - 1;
  while (before > start && text.charCodeAt(before) === backslash) before -= 1;
  return (quoteAt - before) % 2 === 0;
}
