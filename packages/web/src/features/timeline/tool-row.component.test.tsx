import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { ToolCallUpsert } from '@liminal/contracts';
import { message, toolCall, turnComplete, turnMessage, upsertMessage } from '@liminal/domain/timeline/testing/messages';
import { click } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { one, pageText, texts } from '../../testing/queries.ts';
import { showRows } from './testing/rows.tsx';

const call = (fields: Partial<ToolCallUpsert> = {}): ToolCallUpsert =>
  toolCall('t1:1:0', { toolName: 'Bash', toolKind: 'execute', toolArguments: { command: 'npm test' }, ...fields });
const line = (): HTMLButtonElement => one<HTMLButtonElement>('.collapsible-line');
const outcome = (): string[] => texts('.collapsible-outcome');
const open = (): Promise<void> => click(line());

describe('a call on its line', () => {
  it.each<[string, Partial<ToolCallUpsert>, string[]]>([
    ['a command', {}, ['Ran', 'npm test']],
    ['a file', { toolKind: 'read', toolArguments: { file_path: '/work/repo/src/a.ts' } }, ['Read', 'src/a.ts']],
    ['a search', { toolKind: 'search', toolArguments: { pattern: 'TODO' } }, ['Searched', 'TODO']],
    ['an address', { toolKind: 'fetch', toolArguments: { url: 'https://a.test' } }, ['Fetched', 'https://a.test']],
    ['an MCP tool', { toolName: 'mcp__jira__find', toolKind: 'other', toolArguments: {} }, ['jira find', '']],
  ])('shows what it does and to what: %s', async (_, fields, words) => {
    await showRows([call(fields)]);
    expect([...texts('.collapsible-verb'), ...texts('.collapsible-target')]).toEqual(words);
  });

  it.each<[string, Partial<ToolCallUpsert>, object | undefined, string[]]>([
    ['running, as its verb says', { status: 'update' }, undefined, []],
    ['running', { status: 'update', toolName: 'deploy', toolKind: 'other' }, undefined, ['running']],
    ['done', {}, {}, []],
    ['stopped with its turn', { status: 'update' }, { status: 'cancelled' }, ['stopped']],
    ['refused', { status: 'error', refused: true, durationMs: 4000 }, {}, ['refused']],
    ['failed', { toolOutputIsError: true, toolOutput: 'boom' }, {}, ['failed']],
    ['failed with an exit code', { toolOutputIsError: true, toolOutput: 'Exit code 2' }, {}, ['failed, exit 2']],
  ])('shows the outcome: %s', async (_, fields, ended, words) => {
    await showRows([call({ sourceTimestamp: new Date().toISOString(), ...fields })], ended);
    expect(outcome()).toEqual(words);
  });

  it.each([
    [3200, ['3.2 s']],
    [99, []],
  ])('shows its duration if it is long enough: %d ms', async (durationMs, words) => {
    await showRows([call({ durationMs })], {});
    expect(texts('.collapsible-duration')).toEqual(words);
  });

  it('marks a failure, but not a refusal', async () => {
    await showRows([call({ status: 'error' }), toolCall('t1:2:0', { status: 'error', refused: true })], {});
    expect(
      [...document.querySelectorAll('.collapsible')].map((row) => row.classList.contains('collapsible-failed')),
    ).toEqual([true, false]);
  });

  it('stands out while it waits for the user, and not once its turn has ended', async () => {
    const page = await showRows([call({ status: 'update', awaitingPermission: true })]);
    expect(document.querySelector('.collapsible-waiting')).not.toBeNull();
    expect(outcome()).not.toEqual(['running']);
    await page.hear((seq) => turnMessage(seq, turnComplete('t1', 'cancelled')));
    expect(document.querySelector('.collapsible-waiting')).toBeNull();
    expect(outcome()).toEqual(['stopped']);
  });

  it('counts its seconds once it has run for a while, and not while disconnected', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.parse('2026-01-01T00:00:00.000Z') });
    const page = await showRows([call({ status: 'update' })]);
    await act(async () => void vi.advanceTimersByTime(2000));
    expect(texts('.collapsible-verb')).toEqual(['Running']);
    expect(texts('.collapsible-duration')).toEqual(['']);
    await act(async () => void vi.advanceTimersByTime(1000));
    expect(texts('.collapsible-duration')).toEqual(['3 s']);
    await page.disconnect();
    expect(texts('.collapsible-duration')).toEqual(['']);
  });

  it('counts the lines it changed, unless it was refused', async () => {
    const diffs = [{ path: '/work/repo/a.ts', oldText: 'one\n', newText: 'two\nthree\n' }];
    await showRows([
      call({ toolKind: 'edit', diffs }),
      toolCall('t1:2:0', { toolKind: 'edit', diffs, status: 'error', refused: true }),
    ]);
    expect(texts('.line-counts')).toEqual(['+2 −1']);
  });

  it('shows the answer to a question it asked', async () => {
    await showRows([call({ questions: [{ question: 'Which colour?', answer: 'Blue' }] })], {});
    expect(texts('.collapsible-target')).toEqual(['Which colour?']);
    expect(outcome()).toEqual(['Blue']);
  });
});

describe('an expanded call', () => {
  it('shows the full command and its output, which aren’t rendered before', async () => {
    await showRows([call({ toolArguments: { command: 'npm test\nnpm run lint' }, toolOutput: '3 passed' })], {});
    expect(pageText()).not.toContain('3 passed');
    await open();
    expect(line().getAttribute('aria-expanded')).toBe('true');
    expect(one('.command pre').textContent).toBe('npm test\nnpm run lint');
    expect(texts('.terminal')).toEqual(['3 passed']);
    await open();
    expect(document.querySelector('.collapsible-details')).toBeNull();
  });

  it('shows output as it arrives, and stays open', async () => {
    const page = await showRows([call({ status: 'update', toolOutput: 'one' })]);
    await open();
    await page.hear((seq) => upsertMessage(seq, call({ status: 'update', toolOutput: 'one\ntwo', order: 0 })));
    expect(one('.terminal').textContent).toBe('one\ntwo');
  });

  it('shows that there was no output, and the error', async () => {
    await showRows([call(), toolCall('t1:2:0', { status: 'error', errorMessage: 'It broke.' })], {});
    for (const each of document.querySelectorAll<HTMLElement>('.collapsible-line')) await click(each);
    expect(texts('.row-note')).toHaveLength(2);
    expect(texts('.row-note-failed')).toEqual(['It broke.']);
  });

  it('shows every argument of an unknown tool', async () => {
    await showRows([toolCall('t1:1:0', { toolArguments: { name: 'x', deep: { a: [1] } } })], {});
    await open();
    expect(texts('.arguments dt')).toEqual(['name', 'deep']);
    expect(texts('.arguments dd')[1]).toContain('"a": [ 1 ]');
  });

  it('shows a change line by line instead of the arguments', async () => {
    const diffs = [
      { path: '/work/repo/a.ts', oldText: 'same\none\n', newText: 'same\ntwo\n', oldStart: 7, newStart: 7 },
    ];
    await showRows([call({ toolKind: 'edit', toolArguments: { file_path: '/work/repo/a.ts' }, diffs })], {});
    await open();
    expect(texts('.diff-path')).toEqual([]);
    expect(texts('.diff-line')).toEqual(['77 same', '8−one', '8+two']);
    expect(document.querySelector('.arguments')).toBeNull();
  });

  it('shows that a file is new', async () => {
    const diffs = [{ path: '/work/repo/a.ts', oldText: null, newText: 'one\n' }];
    await showRows([call({ toolKind: 'edit', toolArguments: {}, diffs })], {});
    await open();
    expect(texts('.diff-head')[0]).toContain('new file');
  });

  it('shows questions with their answers, and which have none', async () => {
    await showRows([call({ questions: [{ question: 'Colour?', answer: 'Blue' }, { question: 'Size?' }] })], {});
    await open();
    expect(texts('.asked-questions dt')).toEqual(['Colour?', 'Size?']);
    expect(texts('.asked-questions dd')[0]).toBe('Blue');
    expect(document.querySelectorAll('.asked-questions dd .muted')).toHaveLength(1);
  });

  it('shows the end of a long output first, and the rest on a click', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    await showRows([call({ toolOutput: lines.join('\n') })], {});
    await open();
    expect(one('.terminal').textContent).toContain('line 199');
    expect(one('.terminal').textContent).not.toContain('line 0\n');
    await click(one('.tool-output-more button:first-child'));
    expect(one('.terminal').textContent).toContain('line 0\n');
    expect(document.querySelector('.tool-output-more')).toBeNull();
  });

  it('loads the rest from the server, and shows a failure', async () => {
    const page = await showRows([call({ toolOutput: 'the end', toolOutputLength: 5000 })], {});
    await open();
    const more = (): HTMLElement => one('.tool-output-more button:first-child');
    page.answer('session.output', failed('It is gone.'));
    await click(more());
    expect(texts('.row-note-failed')).toEqual(['It is gone.']);
    page.answer('session.output', { ok: true, value: 'the beginning and the end' });
    await click(more());
    expect(page.callsOf('session.output')).toEqual([
      ['s', 't1:1:0'],
      ['s', 't1:1:0'],
    ]);
    expect(texts('.terminal')).toEqual(['the beginning and the end']);
    expect(texts('.row-note-failed')).toEqual([]);
  });

  it('shows what a running command prints after the rest was loaded', async () => {
    const running = call({ status: 'update', toolOutput: '50 %', toolOutputLength: 5000 });
    const page = await showRows([running]);
    await open();
    page.answer('session.output', { ok: true, value: 'start 50 %' });
    await click(one('.tool-output-more button:first-child'));
    expect(texts('.terminal')).toEqual(['start 50 %']);
    const ended = call({ toolOutput: 'all done', toolOutputLength: 6000 });
    await page.hear((seq) => upsertMessage(seq, { ...ended, order: 0 }));
    expect(texts('.terminal')).toEqual(['all done']);
    page.answer('session.output', { ok: true, value: 'start 50 % all done' });
    await click(one('.tool-output-more button:first-child'));
    expect(texts('.terminal')).toEqual(['start 50 % all done']);
  });
});

describe('consecutive reads and searches', () => {
  const lookups = [
    toolCall('t1:1:0', { toolKind: 'read', toolArguments: { path: '/work/repo/a.ts' } }),
    toolCall('t1:2:0', { toolKind: 'read', toolArguments: { path: '/work/repo/b.ts' } }),
    toolCall('t1:3:0', { toolKind: 'search', toolArguments: { pattern: 'x' } }),
  ];

  it('are one line with their count, which expands to each of them', async () => {
    await showRows(lookups);
    expect(texts('.collapsible-verb')).toEqual(['Explored']);
    await open();
    expect(texts('.collapsible-details .collapsible-target')).toEqual(['a.ts', 'b.ts', 'x']);
  });

  it('keep a failed one visible', async () => {
    await showRows([...lookups, toolCall('t1:4:0', { toolKind: 'read', status: 'error' })]);
    expect(texts('.collapsible-verb')).toEqual(['Explored', 'Read']);
  });
});

describe('a subagent', () => {
  const agent = (fields: Partial<ToolCallUpsert> = {}): ToolCallUpsert =>
    toolCall('t1:1:0', {
      toolName: 'Task',
      callId: 'agent',
      toolArguments: { description: 'Look around', prompt: 'Find **all** tests' },
      ...fields,
    });
  const steps = [
    message('t1:1:1', { parentCallId: 'agent', content: 'I look.' }),
    toolCall('t1:1:2', { parentCallId: 'agent', toolKind: 'execute', toolArguments: { command: 'ls' } }),
  ];

  it('is one line with its number of steps and its current step', async () => {
    await showRows([agent({ status: 'update', sourceTimestamp: new Date().toISOString() }), ...steps]);
    expect(texts('.collapsible-verb')).toEqual(['Agent']);
    expect(texts('.collapsible-target')).toEqual(['Look around']);
    expect(outcome()).toEqual(['running · 2 steps']);
    expect(texts('.collapsible-step')).toEqual(['Running ls']);
    expect(pageText()).not.toContain('I look.');
  });

  it('expands to its task, its steps and its answer, each shown as usual', async () => {
    await showRows([agent({ toolOutput: 'There are **two**.' }), ...steps], {});
    expect(document.querySelector('.collapsible-step')).toBeNull();
    await open();
    expect(texts('.agent-prompt')).toEqual(['Find all tests']);
    expect(texts('.nested-rows .markdown')).toEqual(['I look.']);
    expect(texts('.nested-rows .collapsible-target')).toEqual(['ls']);
    expect(texts('.collapsible-details').join()).toContain('There are two.');
  });
});
