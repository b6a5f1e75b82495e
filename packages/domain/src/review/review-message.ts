import type { ReviewComment } from '@liminal/contracts';

type Quoted = Pick<ReviewComment, 'path' | 'side' | 'startLine' | 'endLine' | 'quote' | 'text' | 'outdated'>;

/** One message with all comments, as plain Markdown that every agent understands: file, lines, code, what to change. */
export function reviewMessage(comments: readonly Quoted[], note = ''): string {
  const many = comments.length === 1 ? 'a comment' : `${comments.length} comments`;
  const head = note.trim() === '' ? `I reviewed your changes and have ${many}. Please address each one.` : note.trim();
  const sorted = comments.toSorted((a, b) =>
    a.path === b.path ? a.startLine - b.startLine : a.path < b.path ? -1 : 1,
  );
  return [head, ...sorted.map(commentText)].join('\n\n');
}

function commentText({ path, side, startLine, endLine, quote, text, outdated }: Quoted, index: number): string {
  const lines = startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
  const which = outdated ? ' (these lines have changed since)' : side === 'old' ? ' (before the change)' : '';
  const fence = fenceAround(quote);
  const code = quote === '' ? [] : [`${fence}${languageOf(path)}`, quote.replace(/\n$/, ''), fence];
  return [`### ${index + 1}. ${path}, ${lines}${which}`, '', ...code, ...(code.length > 0 ? [''] : []), text].join(
    '\n',
  );
}

/** Longer than every run of backticks in the code, so the code can't end it. */
function fenceAround(code: string): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(3, longest + 1));
}

/** The file extension, as the language of the fence. */
const languageOf = (path: string): string => /\.([A-Za-z0-9+#-]{1,12})$/.exec(path)?.[1] ?? '';
