import { describe, expect, it } from 'vitest';
import type { ToolCallUpsert } from '@liminal/contracts';
import { shortPath } from '../../../ui/folders/folder-path.ts';
import { describeTool } from './describe-tool.ts';

const call = (part: Partial<ToolCallUpsert>): ToolCallUpsert =>
  ({ type: 'tool_call', toolName: 'Tool', toolArguments: {}, callId: 'c', ...part }) as ToolCallUpsert;
const words = (part: Partial<ToolCallUpsert>): string => {
  const { verb, target } = describeTool(call(part), '/home/me/app');
  return `${verb} ${target}`.trim();
};

describe('describeTool', () => {
  it('shows the full command on one line', () => {
    expect(words({ toolName: 'Bash', toolArguments: { command: 'npm test\n  --watch' } })).toBe('Ran npm test --watch');
    expect(words({ toolKind: 'execute', toolArguments: { command: ['bash', '-lc', 'ls'] } })).toBe('Ran bash -lc ls');
  });

  it('shows the question to the user', () => {
    const questions = [{ question: 'Which\ncolour?', answer: 'Blue' }, { question: 'Why?' }];
    expect(words({ toolName: 'AskUserQuestion', questions })).toBe('Asked you Which colour? and 1 more');
  });

  it('shows files by their short path', () => {
    expect(words({ toolName: 'Read', toolArguments: { file_path: '/home/me/app/src/a.ts' } })).toBe('Read src/a.ts');
    const diffs = ['/home/me/app/a', '/etc/b', '/etc/c'].map((path) => ({ path, oldText: null, newText: '' }));
    expect(words({ toolKind: 'edit', diffs })).toBe('Edited a and 2 more');
  });

  it('falls back to the title, without repeating the verb', () => {
    expect(words({ toolKind: 'edit', title: 'Edit src/sum.js' })).toBe('Edited src/sum.js');
    expect(words({ toolName: 'Deploy', title: 'Deploy to staging' })).toBe('Deploy to staging');
    expect(words({ toolName: 'unknown' })).toBe('unknown');
  });

  it('has a verb for a request, for running and for done', () => {
    const verbs = (['asked', 'doing', 'done'] as const).map(
      (tense) => describeTool(call({ toolKind: 'execute' }), '/home/me/app', tense).verb,
    );
    expect(verbs).toEqual(['Run', 'Running', 'Ran']);
    expect(describeTool(call({ toolName: 'Deploy' }), '/home/me/app', 'doing')).toMatchObject({
      verb: 'Deploy',
      isNamed: true,
    });
  });

  it('shortens only paths inside the folder', () => {
    expect(shortPath('/home/me/app2/x', '/home/me/app')).toBe('/home/me/app2/x');
    expect(shortPath('/x', '')).toBe('/x');
  });
});
