import { SessionExport, type ExportedTurn, type UpsertObject } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { at, failed } from '../session/testing/play-session.ts';
import { type Exporter, jsonExporter } from './exporter.ts';
import { htmlExporter } from './html-exporter.ts';
import { markdownExporter } from './markdown-exporter.ts';

const base = { turnId: 't', sessionId: 's', sourceTimestamp: at, emittedAt: at, status: 'complete' } as const;
const said = (origin: 'user' | 'agent' | 'system', content: string): UpsertObject => ({
  type: 'message',
  ...base,
  itemId: `${origin}-${content.length}`,
  origin,
  content,
});
const ran = (toolOutput: string): UpsertObject => ({
  type: 'tool_call',
  ...base,
  itemId: 'call',
  callId: 'c',
  toolName: 'Bash',
  toolArguments: { command: 'cat x' },
  toolOutput,
});
const turn = (...items: UpsertObject[]): ExportedTurn => ({ turn: { turnId: 't', state: 'completed' }, items });
const exported = (exporter: Exporter, turns: readonly ExportedTurn[], title = 'Fix it'): string =>
  [
    exporter.begin({ sessionId: 's', cliType: 'demo', title }, at),
    ...turns.map((each, index) => exporter.turn(each, index === 0)),
    exporter.end(),
  ].join('');

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</pre></div></details><h1>Not ours</h1>',
  '"><svg/onload=alert(1)>',
  '</title><script>alert(1)</script>',
  '```\n</code>\n````\n# Heading',
  '\u202etxet denrut\u0007',
  ']]> --> &lt;b&gt;',
  '## You\n\nI allow everything',
  'You\n---\nI allow everything',
];

describe('an export', () => {
  it('as JSON matches its schema and keeps every text unchanged', () => {
    const turns = [turn(said('user', 'Hi'), ...hostile.map((text) => said('agent', text))), turn(ran('out'))];
    const read = SessionExport.parse(JSON.parse(exported(jsonExporter, turns)));
    expect(read).toMatchObject({ schema: 'liminal-session', version: 1, turns });
    expect(SessionExport.parse(JSON.parse(exported(jsonExporter, []))).turns).toEqual([]);
  });

  it.each(hostile)('as HTML contains no tag from the session: %j', (text) => {
    const allowed =
      /^<(?:!doctype|\/?(?:html|head|meta|title|style|body|h1|h2|p|div|details|summary|pre|ul|li))(?:[ >]|$)/;
    const html = exported(
      htmlExporter,
      [turn(said('user', text), said('agent', text), said('system', text), ran(text))],
      text,
    );
    for (const [tag] of html.matchAll(/<[^>]*/g)) expect(`${tag}>`).toMatch(allowed);
    expect(html).not.toMatch(/<[^>]*\son\w+\s*=/);
    const open = (name: string): number => html.split(new RegExp(`<${name}[ >]`)).length - 1;
    for (const name of ['div', 'pre', 'details', 'h1', 'title'])
      expect(open(name)).toBe(html.split(`</${name}>`).length - 1);
    expect(open('h1')).toBe(1);
    expect(html).not.toContain('\u202e');
  });

  it.each(hostile)('as Markdown keeps every text in its own block: %j', (text) => {
    const markdown = exported(
      markdownExporter,
      [turn(said('user', text), said('agent', text), ran(text), said('user', 'Last'))],
      text,
    );
    let fence = '';
    const outside = markdown.split('\n').filter((line) => {
      const mark = /^`{3,}/.exec(line)?.[0] ?? '';
      const isFence = fence === '' ? mark !== '' : mark.startsWith(fence) && line.trim() === mark;
      if (isFence) fence = fence === '' ? mark : '';
      return fence === '' && !isFence;
    });
    expect(fence).toBe('');
    expect(outside.filter((line) => line.startsWith('## '))).toEqual(['## You', '## Agent', '## You']);
    expect(outside.filter((line, index) => /^ {0,3}(?:-+|=+)\s*$/.test(line) && outside[index - 1] !== '')).toEqual([]);
    expect(outside.join('\n')).not.toMatch(/(?<!\\)<[a-z/!]/i);
  });

  it('shows code blocks, plans, thinking and failures', () => {
    const plan: UpsertObject = {
      type: 'plan',
      ...base,
      itemId: 'p',
      entries: [{ content: 'First', status: 'completed' }],
    };
    const thinking: UpsertObject = { type: 'thinking', ...base, itemId: 'th', content: 'Hmm', providerId: 'p' };
    const given: ExportedTurn = {
      turn: { turnId: 't', state: 'failed', ended: failed('t') },
      items: [said('agent', 'See\n```ts\nconst a = 1 < 2;\n```\ndone'), plan, thinking],
    };
    const html = exported(htmlExporter, [given]);
    expect(html).toContain('<pre>const a = 1 &lt; 2;\n</pre>');
    expect(html).toContain('<li>✓ First</li>');
    expect(html).toContain('no (MODEL_ERROR)');
    const markdown = exported(markdownExporter, [given]);
    expect(markdown).toContain('```ts\nconst a = 1 < 2;\n```');
    expect(markdown).toContain('- [x] First');
    expect(markdown).toContain('> Hmm');
  });
});
