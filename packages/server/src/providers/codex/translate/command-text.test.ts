import { expect, test } from 'vitest';
import { commandText } from './command-text.ts';

test.each([
  ["/bin/bash -lc 'echo hi'", 'echo hi'],
  ['bash -lc ls', 'ls'],
  ["/usr/bin/zsh -lc 'it'\\''s'", "it's"],
  [`/bin/sh -c "say \\"hi\\" \\$HOME"`, 'say "hi" $HOME'],
  ["/bin/bash -lc 'a' b", "/bin/bash -lc 'a' b"],
  ["/bin/bash -lc 'open", "/bin/bash -lc 'open"],
  ["/usr/local/bin/bash -lc 'echo hi'", 'echo hi'],
  ["/opt/homebrew/bin/zsh -lc 'echo hi'", 'echo hi'],
  ["/work/project/bash -lc 'npm test'", "/work/project/bash -lc 'npm test'"],
  ["./bash -lc 'npm test'", "./bash -lc 'npm test'"],
  ["/work/bin/bash -lc 'npm test'", "/work/bin/bash -lc 'npm test'"],
  ["/bin/../work/bash -lc 'npm test'", "/bin/../work/bash -lc 'npm test'"],
  ['git status', 'git status'],
  ['', ''],
])('CX-1: %s reads as %s', (given, wanted) => {
  expect(commandText(given)).toBe(wanted);
});
