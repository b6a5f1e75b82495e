import { expect, test } from 'vitest';
import { commandText } from './command-text.ts';

test.each([
  ["/bin/bash -lc 'echo hi'", 'echo hi'],
  ['bash -lc ls', 'ls'],
  ["/usr/bin/zsh -lc 'it'\\''s'", "it's"],
  [`/bin/sh -c "say \\"hi\\" \\$HOME"`, 'say "hi" $HOME'],
  ["/bin/bash -lc 'a' b", "/bin/bash -lc 'a' b"],
  ["/bin/bash -lc 'open", "/bin/bash -lc 'open"],
  ['git status', 'git status'],
  ['', ''],
])('CX-1: %s reads as %s', (given, wanted) => {
  expect(commandText(given)).toBe(wanted);
});
