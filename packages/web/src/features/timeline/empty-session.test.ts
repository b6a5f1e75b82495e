import { describe, expect, it } from 'vitest';
import { suggestedPrompts } from './empty-session.tsx';

describe('suggested prompts', () => {
  it('match the files in the folder', () => {
    expect(suggestedPrompts(['README.md', 'package.json', 'src/a.ts'], true)).toEqual([
      'Read @README.md and the code, and explain how this project works.',
      'Run the tests and fix what fails.',
      'Review the uncommitted changes and point out problems.',
    ]);
  });

  it('are three even if nothing is known about the folder', () => {
    expect(suggestedPrompts([], false)).toHaveLength(3);
    expect(suggestedPrompts(['notes.txt'], false)[0]).toBe('Explain how this project is organised.');
  });
});
