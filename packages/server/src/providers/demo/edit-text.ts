import { friendlyGreeting, plainGreeting } from './scratch-files.ts';

const farewell = `
export function farewell(name) {
  return \`Goodbye, \${name}!\`;
}
`;

/** The next small improvement of the greeting, whatever has happened to the file. */
export function improveGreeting(text: string): string {
  const plain = text.replace(
    'export function greet(name) {\n',
    '/** A friendly greeting. */\nexport function greet(name) {\n',
  );
  if (text.includes(plainGreeting)) return plain.replace(plainGreeting, friendlyGreeting);
  if (!text.includes('farewell')) return `${text}${farewell}`;
  const seen = text.match(/^\/\/ Read again\b/gm)?.length ?? 0;
  return `${text}// Read again, and nothing to add (${seen + 1}).\n`;
}

/** One comment of a review, read from the message it came in. */
export type ReadComment = {
  readonly path: string;
  readonly startLine: number;
  readonly quote: string;
  readonly text: string;
};

const heading = /^### \d+\. (.+), lines? (\d+)(?:-\d+)?(?: \(.*\))?$/;

/** The comments of a review message; none if it isn't a review. */
export function readReview(message: string): ReadComment[] {
  const comments: { path: string; startLine: number; quote: string[]; text: string[] }[] = [];
  let fence: string | null = null;
  let hasQuote = false;
  for (const line of message.split('\n')) {
    const found = fence === null ? heading.exec(line) : null;
    const comment = comments.at(-1);
    if (found) {
      comments.push({ path: found[1] ?? '', startLine: Number(found[2]), quote: [], text: [] });
      hasQuote = false;
    } else if (comment === undefined) continue;
    else if (fence !== null && line === fence) fence = null;
    else if (fence !== null) comment.quote.push(line);
    else if (!hasQuote && comment.text.join('') === '' && line.startsWith('```')) {
      fence = /^`+/.exec(line)?.[0] ?? '```';
      hasQuote = true;
    } else comment.text.push(line);
  }
  return comments.map(({ quote, text, ...place }) => ({
    ...place,
    quote: quote.join('\n'),
    text: text.join('\n').trim(),
  }));
}

/** The file with the commented lines changed as requested, as far as a script can; null if they are gone. */
export function addressComment(file: string, { path, startLine, quote, text }: ReadComment): string | null {
  const lines = file.split('\n');
  const wanted = quote.split('\n');
  const isAt = (index: number): boolean => index >= 0 && wanted.every((line, offset) => lines[index + offset] === line);
  const at = isAt(startLine - 1) ? startLine - 1 : lines.findIndex((_, index) => isAt(index));
  if (at < 0) return null;
  return [...lines.slice(0, at), ...answerTo(wanted, text, path), ...lines.slice(at + wanted.length)].join('\n');
}

function answerTo(lines: readonly string[], text: string, path: string): readonly string[] {
  const suggested = /^```\w*\n([\s\S]*?)\n?```$/m.exec(text)?.[1];
  if (suggested !== undefined) return suggested.split('\n');
  if (/\b(remove|delete|drop)\b/i.test(text)) return [];
  const name = '[`"\']?([\\w$.]+)[`"\']?';
  const renamed = new RegExp(`\\b(?:rename|replace|change) ${name} (?:to|with|by|into) ${name}`, 'i').exec(text);
  const instead = new RegExp(`\\buse ${name} instead of ${name}`, 'i').exec(text);
  const [from, to] = renamed ? [renamed[1], renamed[2]] : instead ? [instead[2], instead[1]] : [undefined, undefined];
  const changed = lines.map((line) => (from === undefined || to === undefined ? line : line.replaceAll(from, to)));
  if (changed.some((line, index) => line !== lines[index])) return changed;
  const indent = /^\s*/.exec(lines[0] ?? '')?.[0] ?? '';
  const words = text.split('\n').find((line) => line.trim() !== '') ?? '';
  return [`${indent}${noteIn(path, words.trim())}`, ...lines];
}

/** A comment in the file's language. */
function noteIn(path: string, words: string): string {
  if (/\.(md|html?|xml|svg)$/i.test(path)) return `<!-- Review: ${words.replaceAll('--', '-')} -->`;
  return `${/\.(py|rb|sh|ya?ml|toml)$/i.test(path) ? '#' : '//'} Review: ${words}`;
}
