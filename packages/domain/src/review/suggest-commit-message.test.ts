import { expect, it } from 'vitest';
import { suggestCommitMessage } from './suggest-commit-message.ts';

const files = [
  { path: 'src/a.ts', change: 'added' },
  { path: 'b.ts', change: 'modified' },
] as const;

it('suggests the session’s title, without its full stop and on one line', () => {
  expect(suggestCommitMessage('Stop limiting the health check.\nand more', files)).toBe(
    'Stop limiting the health check',
  );
});

it('shortens a long title at a word', () => {
  const message = suggestCommitMessage('word '.repeat(40), files);
  expect(message.length).toBeLessThanOrEqual(72);
  expect(message).toMatch(/word…$/);
});

it('names the files if the session has no title', () => {
  expect(suggestCommitMessage('', files.slice(0, 1))).toBe('Add a.ts');
  expect(suggestCommitMessage('New session', files)).toBe('Update 2 files');
  expect(suggestCommitMessage('', [])).toBe('');
});
