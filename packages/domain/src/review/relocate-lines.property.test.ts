import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relocateLines } from './relocate-lines.ts';

const line = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'b', 'c', '{', '}', ' ') });
const lines = fc.array(line, { maxLength: 30 });
const text = (parts: readonly string[]): string => parts.map((part) => `${part}\n`).join('');

describe('lines that were commented on', () => {
  it('RV-4: are found again when other lines were added or removed around them', () => {
    const unique = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(lines, lines, unique, lines, lines, (above, below, marked, newAbove, newBelow) => {
        const quoted = marked.map((number, place) => `marked ${place} ${number}`);
        const range = { startLine: above.length + 1, endLine: above.length + quoted.length };
        const before = text([...above, ...quoted, ...below]);
        const now = text([...newAbove, ...quoted, ...newBelow]);
        const startLine = newAbove.length + 1;
        expect(relocateLines(range, text(quoted), now, before)).toEqual({
          startLine,
          endLine: startLine + quoted.length - 1,
        });
      }),
    );
  });

  it('RV-4: stay where they are in an unchanged file, even if the same lines occur several times', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), fc.nat(), fc.nat(5), (all, at, length) => {
        const start = at % all.length;
        const quoted = all.slice(start, start + length + 1);
        const range = { startLine: start + 1, endLine: start + quoted.length };
        expect(relocateLines(range, text(quoted), text(all), text(all))).toEqual(range);
      }),
    );
  });

  it('RV-4: are never found where they are not', () => {
    fc.assert(
      fc.property(lines, lines, (before, now) => {
        const range = { startLine: 1, endLine: 1 };
        expect(relocateLines(range, 'only here\n', text(now), text(['only here', ...before]))).toBeNull();
      }),
    );
  });

  it('RV-4: follow their block when equal blocks are added before it', () => {
    const block = ['if (x) {', '  go();', '}'];
    const before = text(['start', ...block]);
    const now = text(['start', ...block, ...block]);
    const range = { startLine: 2, endLine: 4 };
    expect(relocateLines(range, text(block), now, before)).toEqual(range);
    expect(relocateLines(range, text(block), text([...block, 'x', 'start', ...block]), before)?.startLine).toBe(6);
  });

  it('are found whatever line endings the file has', () => {
    expect(relocateLines({ startLine: 1, endLine: 1 }, 'a', 'x\r\na\r\n', 'a\n')).toEqual({ startLine: 2, endLine: 2 });
  });
});
