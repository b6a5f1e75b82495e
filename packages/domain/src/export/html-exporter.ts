import { showControls } from '../text/visible-text.ts';
import type { Exporter } from './exporter.ts';
import { partsOf, type ExportPart } from './export-parts.ts';

const style = `body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:15px/1.6 system-ui,sans-serif;color:#211f1b;background:#fcfbf9}
h2{font-size:13px;margin:1.5rem 0 .25rem;color:#635d53}
.text{white-space:pre-wrap;overflow-wrap:anywhere}
.person{padding:.5rem .75rem;border-radius:6px;background:#e8f4f5}
pre{padding:.75rem;border:1px solid #dfdbd3;border-radius:6px;overflow:auto;font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.failure{color:#b3261e}.muted{color:#635d53}
@media(prefers-color-scheme:dark){body{color:#e9e6e0;background:#171614}.person{background:#16282b}pre{border-color:#37342f}h2,.muted{color:#a8a196}.failure{color:#f28b82}}`;

/** A single file that loads and runs nothing. All text of the session is escaped. */
export const htmlExporter: Exporter = {
  begin: ({ title, cliType }, exportedAt) => {
    const name = escaped(title === '' ? 'Session' : showControls(title));
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${name}</title>
<style>${style}</style>
</head>
<body>
<h1>${name}</h1>
<p class="muted">${escaped(cliType)}, exported ${escaped(exportedAt)}</p>
`;
  },
  turn: (turn) => partsOf(turn).map(block).join(''),
  end: () => '</body>\n</html>\n',
};

function block(part: ExportPart): string {
  switch (part.kind) {
    case 'person':
      return `<h2>You</h2>\n<div class="text person" dir="auto">${escaped(part.text)}</div>\n`;
    case 'agent':
      return `<h2>Agent</h2>\n${prose(part.text)}`;
    case 'system':
      return `<p class="text muted" dir="auto">${escaped(part.text)}</p>\n`;
    case 'thinking':
      return `<details><summary>Thinking</summary><div class="text" dir="auto">${escaped(part.text)}</div></details>\n`;
    case 'tool':
      return `<details><summary>${escaped(part.title)}</summary>\n${pre(part.input)}${pre(part.output)}</details>\n`;
    case 'plan':
      return `<ul>${part.entries.map(({ content, status }) => `<li>${status === 'completed' ? '✓ ' : ''}${escaped(content)}</li>`).join('')}</ul>\n`;
    case 'failure':
      return `<p class="text failure">${escaped(part.text)}</p>\n`;
  }
}

const pre = (text: string): string => (text === '' ? '' : `<pre>${escaped(text)}</pre>\n`);

/** Text with its code blocks marked; the rest of the Markdown is shown as written. */
const prose = (text: string): string =>
  text
    .split(/^ {0,3}```[^\n]*\n([\s\S]*?)(?:^ {0,3}```[ \t]*$|(?![\s\S]))/m)
    .map((part, index) =>
      index % 2 === 1
        ? pre(part)
        : part.trim() === ''
          ? ''
          : `<div class="text" dir="auto">${escaped(part.trim())}</div>\n`,
    )
    .join('');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
