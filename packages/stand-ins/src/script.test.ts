import { describe, expect, it } from 'vitest';
import { parseScript } from './script.ts';
import type { Step } from './steps.ts';

const only = (prompt: string): Step => {
  const [round] = parseScript(prompt) ?? [];
  expect(round).toHaveLength(1);
  return round![0]!;
};
const wish = (prompt: string): unknown => {
  const step = only(prompt);
  return step.kind === 'call' ? step.wish : step;
};
const spoken = (step: Step): string => (step.kind === 'say' ? step.pieces.join('') : '');

describe('parseScript', () => {
  it('treats a prompt without directives as an ordinary sentence', () => {
    expect(parseScript('please look at @src/main.ts')).toBeUndefined();
    expect(parseScript('@alice wrote this')).toBeUndefined();
    expect(parseScript('')).toBeUndefined();
  });

  it('ignores the prose between directives', () => {
    expect(parseScript('Do this:\n@text one\nand then\n@text two')).toHaveLength(1);
  });

  it('streams text word by word and keeps every character', () => {
    const step = only('@text Hello  brave\\n\\nworld ');
    expect(step).toMatchObject({ kind: 'say', voice: 'text', pieces: ['Hello', '  brave', '\n\nworld'] });
    expect(only('@think I see')).toMatchObject({ voice: 'thinking', pieces: ['I', ' see'] });
  });

  it('ends the model call at a tool call, and joins a call marked "+" to the one before', () => {
    const script = parseScript('@text first\n@shell a\n@+shell b\n@shell c\n@text last') ?? [];
    expect(script.map((round) => round.map(({ kind }) => kind))).toEqual([['say', 'call', 'call'], ['call'], ['say']]);
  });

  it('ends the model call when the token budget is spent', () => {
    const script = parseScript('@text cut\n@maxtokens\n@text rest') ?? [];
    expect(script.map((round) => round.map(({ kind }) => kind))).toEqual([['say', 'max-tokens'], ['say']]);
  });

  it('paces long answers', () => {
    const slow = only('@slow 3 50');
    expect(slow).toMatchObject({ pieces: ['w1 ', 'w2 ', 'w3'], gapMs: 50 });
    const words = only('@words 20000 200');
    expect(words).toMatchObject({ gapMs: 5 });
    expect(spoken(words).split(/\s+/)).toHaveLength(20_000);
    expect(only('@words 3')).toMatchObject({ gapMs: 0 });
  });

  it('makes text without spaces of exactly the requested length', () => {
    const text = spoken(only('@chars 1000'));
    expect(text).toHaveLength(1000);
    expect(text).not.toMatch(/\s/);
    expect(only('@chars 160 1600')).toMatchObject({ gapMs: 10 });
  });

  it.each([
    ['@shell ls -l', { tool: 'shell', command: 'ls -l' }],
    ['@bash ls', { tool: 'shell', command: 'ls' }],
    ['@shell! curl x', { tool: 'shell', command: 'curl x', escalated: true }],
    ['@background sleep 1', { tool: 'shell', command: 'sleep 1', background: true }],
    ['@patch a.txt|x\\ny|z', { tool: 'write', path: 'a.txt', content: 'x\ny|z' }],
    ['@write a.txt|x', { tool: 'write', path: 'a.txt', content: 'x' }],
    ['@edit a.txt|old|new', { tool: 'edit', path: 'a.txt', before: 'old', after: 'new' }],
    ['@plan one; two ;', { tool: 'plan', entries: ['one', 'two'] }],
    ['@task @bash ls\\n@text ok', { tool: 'task', prompt: '@bash ls\n@text ok', background: false }],
    ['@background-task go', { tool: 'task', prompt: 'go', background: true }],
    ['@exitplan # Plan\\n1. go', { tool: 'exit-plan', plan: '# Plan\n1. go' }],
    ['@tool Read {"a":1}', { tool: 'named', name: 'Read', input: '{"a":1}' }],
    ['@tool mcp__x/get {}', { tool: 'named', namespace: 'mcp__x', name: 'get', input: '{}' }],
  ])('reads %s', (prompt, expected) => {
    expect(wish(prompt)).toEqual(expected);
  });

  it('reads a question from JSON or from a short form', () => {
    const question = { question: 'Which?', header: 'Colour', multiSelect: true, options: [] };
    expect(wish(`@ask ${JSON.stringify([question])}`)).toEqual({ tool: 'ask', questions: [question] });
    expect(wish(`@ask ${JSON.stringify({ questions: [question] })}`)).toEqual({ tool: 'ask', questions: [question] });
    expect(wish('@ask Which?|Red|Blue')).toMatchObject({
      questions: [{ question: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
    });
  });

  it('reads faults, with the number of tries they last', () => {
    expect(only('@error 529 busy now')).toEqual({ kind: 'error', status: 529, message: 'busy now' });
    expect(only('@error 529*2 busy')).toEqual({ kind: 'error', status: 529, message: 'busy', tries: 2 });
    expect(only('@drop')).toEqual({ kind: 'drop' });
    expect(only('@drop 1')).toEqual({ kind: 'drop', tries: 1 });
    expect(only('@fail server_error oh no')).toEqual({ kind: 'fail', code: 'server_error', message: 'oh no' });
    expect(only('@hang')).toEqual({ kind: 'hang' });
    expect(only('@usage 1200 34 5')).toEqual({
      kind: 'usage',
      usage: { input: 1200, output: 34, cacheRead: 5, cacheWrite: 0 },
    });
  });
});
