/* oxlint-disable no-control-regex -- this file is about control characters */
import { showHidden } from '@liminal/domain/text/visible-text';

/** A piece of terminal output in one style; colours are names of the sixteen basic ones. */
export type AnsiSpan = { readonly text: string; readonly color?: string; readonly bold?: true; readonly dim?: true };

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

// The sequences of ECMA-48: control sequences, operating-system commands and other strings, two-byte escapes. An
// unterminated string ends with its line: otherwise it would hide everything that follows.
const sequence =
  /\u001b\[([\d;:]*)[ -/]*([@-~])|\u001b[\]PX^_][^\n]*?(?:\u0007|\u001b\\|\u009c|(?=\n)|$)|\u001b[ -/]*[0-~]?|\u009b[\d;:]*[@-~]/g;

type Style = { color?: string; bold?: true; dim?: true };

function restyle(style: Style, parameters: string): Style {
  const codes = parameters === '' ? [0] : parameters.split(/[;:]/).map(Number);
  let next = { ...style };
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 22) {
      delete next.bold;
      delete next.dim;
    } else if (code === 39) delete next.color;
    else if (code >= 30 && code <= 37) next.color = names[code - 30] ?? 'white';
    else if (code >= 90 && code <= 97) next.color = names[code - 90] ?? 'white';
    else if (code === 38 || code === 48) {
      // Colours beyond the sixteen are ignored, because their contrast is unknown. Their parameters are skipped.
      index += codes[index + 1] === 5 ? 2 : 4;
    }
  }
  return next;
}

/** Carriage returns rewrite a line, as progress bars do: only the last version of each line is kept. */
function settleLines(text: string): string {
  if (!text.includes('\r')) return text;
  return text
    .split('\n')
    .map((line) => line.replace(/\r+$/, ''))
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .join('\n');
}

/** Parses terminal output: colours become spans, all other control sequences are dropped. */
export function readAnsi(output: string): AnsiSpan[] {
  const text = settleLines(output);
  const spans: AnsiSpan[] = [];
  let style: Style = {};
  let at = 0;
  const push = (end: number): void => {
    if (end > at) spans.push({ text: showHidden(text.slice(at, end)), ...style });
  };
  for (const match of text.matchAll(sequence)) {
    push(match.index);
    at = match.index + match[0].length;
    if (match[2] === 'm') style = restyle(style, match[1] ?? '');
  }
  push(text.length);
  return spans;
}
