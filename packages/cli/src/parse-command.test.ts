import { describe, expect, it } from 'vitest';
import { commands } from './command-table.ts';
import { parseCommand } from './parse-command.ts';

const parse = (name: string, ...args: string[]) => {
  const command = commands[name];
  return command ? parseCommand(command, args) : expect.unreachable(name);
};
const sentence = (name: string, ...args: string[]): string => {
  const parsed = parse(name, ...args);
  return parsed.ok ? '' : parsed.sentence;
};

describe('the arguments of a command', () => {
  it('are parsed with their options in any order', () => {
    const parsed = parse('send', '--steer', 'abc', '--timeout', '5', 'do it', '--json');
    expect(parsed.ok && [parsed.args, parsed.has('steer'), parsed.flag('timeout'), parsed.has('wait')]).toEqual([
      ['abc', 'do it'],
      true,
      '5',
      false,
    ]);
  });

  it('keep a message that begins with a dash when it follows --', () => {
    const parsed = parse('send', 'abc', '--', '--help');
    expect(parsed.ok && parsed.args).toEqual(['abc', '--help']);
  });

  it('are refused with what is missing, too many or unknown', () => {
    expect(sentence('send', 'abc')).toBe('MESSAGE is missing.');
    expect(sentence('wait')).toBe('SESSION is missing.');
    expect(sentence('completion')).toBe('Choose one: bash, zsh or fish.');
    expect(sentence('run', 'fix', 'the', 'tests')).toContain('in quotes');
    expect(sentence('ls', '--token', 'secret')).toContain("Unknown option '--token'");
    expect(sentence('review', 'abc')).toBe('');
  });

  it('aren’t required if help is requested', () => {
    const parsed = parse('send', '-h');
    expect(parsed.ok && parsed.has('help')).toBe(true);
  });
});
