import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { helpText, parseFlags, usage, requestedInformation } from './flags.ts';
import { programFolder, programVersion } from '../program/program-files.ts';

const flagsIn = (text: string): Set<string> => new Set(text.match(/(?<![\w-])--[a-z][a-z-]+/g));

describe('the help', () => {
  it.each([['--help'], ['-h'], ['--port 80 --help'], ['token --help']])('is what `%s` asks for', (line) => {
    expect(requestedInformation(line.split(' '))).toBe(helpText);
  });

  it('lists every flag the usage names, and the README explains each', () => {
    const readme = readFileSync(`${programFolder}README.md`, 'utf8');
    const known = flagsIn(usage);
    expect(known).toContain('--data-dir');
    expect(flagsIn(helpText)).toEqual(known);
    const explained = flagsIn(readme);
    expect([...known].filter((flag) => !explained.has(flag))).toEqual([]);
  });

  it('names only flags that the parser accepts', () => {
    for (const flag of flagsIn(helpText)) {
      const takesText = new RegExp(`${flag} [A-Z]`).test(helpText);
      expect(parseFlags([flag, ...(takesText ? ['x'] : [])]), flag).toBeTypeOf('object');
    }
  });
});

describe('the version', () => {
  it.each([['--version'], ['-v']])('is what `%s` asks for', (flag) => {
    expect(requestedInformation([flag])).toBe(programVersion());
    expect(programVersion()).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('is not printed unless asked for', () => {
    expect(requestedInformation([])).toBeNull();
    expect(requestedInformation(['--port', '0'])).toBeNull();
  });
});
