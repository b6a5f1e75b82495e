import { showControls } from '../text/visible-text.ts';
import type { Exporter } from './exporter.ts';
import { partsOf, type ExportPart } from './export-parts.ts';

/** Readable Markdown. No text of the session can end its block or add HTML. */
export const markdownExporter: Exporter = {
  begin: ({ title, cliType }, exportedAt) =>
    `# ${inline(title === '' ? 'Session' : title)}\n\n${inline(cliType)}, exported ${exportedAt}\n`,
  turn: (turn) => partsOf(turn).map(block).join(''),
  end: () => '',
};

function block(part: ExportPart): string {
  switch (part.kind) {
    case 'person':
      return `\n## You\n\n${quoted(part.text)}\n`;
    case 'agent':
      return `\n## Agent\n\n${prose(part.text)}\n`;
    case 'system':
      return `\n*System:* ${inline(part.text)}\n`;
    case 'thinking':
      return `\n*Thinking*\n\n${quoted(part.text)}\n`;
    case 'tool':
      return `\n**${inline(part.title)}**\n${fenced(part.input)}${fenced(part.output)}`;
    case 'plan':
      return `\n${part.entries.map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${inline(content)}`).join('\n')}\n`;
    case 'failure':
      return `\n*Failed:* ${inline(part.text)}\n`;
  }
}

/** A fence longer than any run of backticks in the text. */
function fenced(text: string): string {
  if (text === '') return '';
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n${fence}\n${text.endsWith('\n') ? text : `${text}\n`}${fence}\n`;
}

/** The user's messages are plain text, not Markdown. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${escaped(line)}`)
    .join('\n');

const inline = (text: string): string => escaped(showControls(text.replace(/\s+/g, ' ').trim()));
const escaped = (text: string): string => text.replace(/[\\`*_[\]<>#|~!]/g, String.raw`\$&`);

/** A heading from the agent must not look like one of ours, such as "You". */
const lowered = (line: string): string => line.replace(/^ {0,3}#{1,2}(?=\s|$)/, '###');

/** The agent writes Markdown: it stays, without HTML, and with its last fence closed. */
function prose(text: string): string {
  let fence = '';
  const lines = text.split('\n').map((line, index, all) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark !== '' && mark.startsWith(fence) && line.trim() === mark) fence = '';
      return line;
    }
    fence = mark;
    const isUnderline = /^ {0,3}(?:=+|-+)\s*$/.test(line) && (all[index - 1] ?? '').trim() !== '';
    return mark === '' ? withoutHtml(isUnderline ? `\\${line.trim()}` : lowered(line)) : line;
  });
  return fence === '' ? lines.join('\n') : [...lines, fence].join('\n');
}

/** Code spans keep their characters: a browser already shows them as text. */
const withoutHtml = (line: string): string =>
  line
    .split(/(`+[^`]+`+)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');
