import { describe, expect, it } from 'vitest';
import { complete, findTrigger, fittingCommands, mentionOf } from './find-trigger.ts';

const at = (marked: string) => {
  const caret = marked.indexOf('|');
  return findTrigger(marked.replace('|', ''), caret);
};

describe('findTrigger', () => {
  it('finds a command at the very start only', () => {
    expect(at('/re|')).toEqual({ kind: 'command', query: 're', start: 0, end: 3 });
    expect(at('/|')).toMatchObject({ query: '' });
    expect(at('see /re|')).toBeNull();
    expect(at('/usr/bi|')).toBeNull();
    expect(at('/review it|')).toBeNull();
  });

  it('finds a file anywhere, but not in an email address', () => {
    expect(at('look at @src/a|')).toEqual({ kind: 'file', query: 'src/a', start: 8, end: 14 });
    expect(at('(@|')).toMatchObject({ kind: 'file', query: '' });
    expect(at('me@example|')).toBeNull();
    expect(at('@done yes|')).toBeNull();
  });
});

it('lists commands that start with the text before the others', () => {
  const commands = ['deploy-review', 'review', 'test'].map((name) => ({ name }));
  expect(fittingCommands(commands, 'rev').map((command) => command.name)).toEqual(['review', 'deploy-review']);
  expect(fittingCommands(commands, '')).toHaveLength(3);
});

it('inserts the choice', () => {
  expect(complete('see @sr now', { kind: 'file', query: 'sr', start: 4, end: 7 }, '@src/a.ts')).toEqual({
    text: 'see @src/a.ts now',
    caret: 14,
  });
  expect(complete('/re', { kind: 'command', query: 're', start: 0, end: 3 }, '/review')).toEqual({
    text: '/review ',
    caret: 8,
  });
  expect(mentionOf('a b.ts')).toBe('@"a b.ts"');
});
