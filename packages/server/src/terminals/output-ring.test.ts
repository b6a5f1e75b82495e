import { describe, expect, it } from 'vitest';
import { createOutputRing } from './output-ring.ts';

/** Everything kept from there on, read piece by piece. */
function readAll(ring: ReturnType<typeof createOutputRing>, from = ring.start, piece = 7): string {
  let text = '';
  for (let at = from; at < ring.end;) {
    const bytes = ring.read(at, piece);
    text += bytes.toString('latin1');
    at += bytes.length;
  }
  return text;
}

describe('the ring of a terminal', () => {
  it('keeps everything as long as there is little', () => {
    const ring = createOutputRing(100);
    for (const word of ['one', ' ', 'two']) ring.push(Buffer.from(word));
    expect(readAll(ring)).toBe('one two');
    expect([ring.start, ring.end, ring.replayFrom()]).toEqual([0, 7, 0]);
    expect(ring.read(7, 10)).toHaveLength(0);
  });

  it('keeps the end of long output with correct offsets, however it is split', () => {
    const all = Array.from({ length: 40_000 }, (_, index) => `${index}\n`).join('');
    const ring = createOutputRing(50_000);
    for (let at = 0, size = 1; at < all.length; at += size, size = (size * 7) % 9_001)
      ring.push(Buffer.from(all.slice(at, at + size)));
    expect(ring.end).toBe(all.length);
    expect(ring.end - ring.start).toBeGreaterThanOrEqual(50_000);
    expect(ring.end - ring.start).toBeLessThanOrEqual(100_000);
    expect(readAll(ring, ring.start, 4_096)).toBe(all.slice(ring.start));
    expect(readAll(ring, ring.end - 10)).toBe(all.slice(-10));
    expect(all.slice(ring.replayFrom() - 1, ring.replayFrom())).toBe('\n');
  });

  it('remembers modes that were set in dropped output', () => {
    const ring = createOutputRing(1_000);
    ring.push(Buffer.from('\u001B[?1049h'));
    ring.push(Buffer.from('x'.repeat(5_000)));
    expect(ring.modes()).toBe('\u001B[?1049h');
  });
});
