import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines, type DiffHunk } from '../diff/line-diff.ts';
import { applyHunks, countHunks, revertHunks } from './apply-hunks.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '+x', '-y', '@@ z'), { maxLength: 30 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''));

const signs = { same: ' ', added: '+', removed: '-' } as const;
function patchOf(before: string, after: string): string {
  const hunkText = ({ lines }: DiffHunk): string => {
    const [oldLines, newLines] = [lines.filter((line) => line.oldLine), lines.filter((line) => line.newLine)];
    // With context, a side has no lines only if its whole text is empty. Git then writes line 0.
    const head = `@@ -${oldLines[0]?.oldLine ?? 0},${oldLines.length} +${newLines[0]?.newLine ?? 0},${newLines.length} @@\n`;
    return head + lines.map(({ kind, text: line }) => `${signs[kind]}${line}\n`).join('');
  };
  return diffLines(before, after, 3).hunks.map(hunkText).join('');
}

describe('hunks applied to a text', () => {
  it('RV-6: applying all gives the new text, applying none keeps the old, and reverting brings it back', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const patch = patchOf(before, after);
        const all = new Set(Array.from({ length: countHunks(patch) }, (_, hunk) => hunk));
        expect(applyHunks(before, patch, all)).toBe(after);
        expect(applyHunks(before, patch, new Set())).toBe(before);
        expect(revertHunks(after, patch, all)).toBe(before);
      }),
    );
  });

  it('RV-6: give the same text when applied one after another, in any order', () => {
    const long = fc.array(fc.nat(1), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(long, fc.nat(), (flags, pick) => {
        const before = flags.map((_, line) => `line ${line}\n`).join('');
        const after = flags
          .map((flag, line) => (flag && line % 15 === 0 ? `LINE ${line}\n` : `line ${line}\n`))
          .join('');
        const patch = patchOf(before, after);
        const count = countHunks(patch);
        if (count === 0) return;
        const one = applyHunks(before, patch, new Set([pick % count])) ?? '';
        expect(one).not.toBe(before);
        const rest = patchOf(one, after);
        expect(countHunks(rest)).toBe(count - 1);
        expect(applyHunks(one, rest, new Set(Array.from({ length: count - 1 }, (_, hunk) => hunk)))).toBe(after);
      }),
    );
  });

  it('RV-6: are rejected for a text that the patch wasn’t made from', () => {
    expect(applyHunks('x\ny\n', '@@ -1,2 +1,2 @@\n a\n-b\n+c\n', new Set([0]))).toBeNull();
  });

  it('keeps a missing last newline', () => {
    const patch = '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n';
    expect(applyHunks('a\nb', patch, new Set([0]))).toBe('a\nc');
    expect(revertHunks('a\nc', patch, new Set([0]))).toBe('a\nb');
  });
});
