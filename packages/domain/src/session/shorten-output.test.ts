import { describe, expect, it } from 'vitest';
import { shortenOutput } from './shorten-output.ts';

describe('a long output', () => {
  it('is told whole up to its limit', () => {
    const output = 'x'.repeat(64 * 1024);
    expect(shortenOutput(output)).toEqual({ output });
  });

  it('keeps its beginning and its end, and says how long it was', () => {
    const { output, wholeLength } = shortenOutput(`first${'x'.repeat(10_000_000)}last`);
    expect(wholeLength).toBe(10_000_009);
    expect(output.startsWith('first')).toBe(true);
    expect(output.endsWith('last')).toBe(true);
    expect(output.length).toBeLessThan(66_000);
    expect(output).toContain('characters left out');
  });

  it('is never cut inside a character', () => {
    expect(shortenOutput('😀'.repeat(100_001)).output.isWellFormed()).toBe(true);
  });
});
