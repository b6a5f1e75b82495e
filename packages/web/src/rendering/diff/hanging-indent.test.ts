import { expect, test } from 'vitest';
import { hangingSteps } from './hanging-indent.ts';

test('the rest of a line starts to the right of its indent, at a tab stop', () => {
  expect(hangingSteps('const a = 1;')).toBe(1);
  expect(hangingSteps('  return next();')).toBe(1);
  expect(hangingSteps('    return next();')).toBe(2);
  expect(hangingSteps('      // a comment')).toBe(2);
  expect(hangingSteps('\t\treturn next()')).toBe(3);
  expect(hangingSteps('  \treturn next()')).toBe(2);
});

test('a deep indent leaves space for the text', () => {
  expect(hangingSteps(`${' '.repeat(200)}deep`)).toBe(6);
  expect(hangingSteps(`${'\t'.repeat(20)}deep`)).toBe(6);
});

test('text that may run from right to left does not hang', () => {
  expect(hangingSteps('    שלום, a long greeting')).toBe(0);
  expect(hangingSteps('    // שלום')).toBe(0);
  expect(hangingSteps(`${'-'.repeat(5000)}a`)).toBe(0);
  expect(hangingSteps('')).toBe(0);
});
