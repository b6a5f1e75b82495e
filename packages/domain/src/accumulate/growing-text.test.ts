import { describe, expect, it } from 'vitest';
import { createGrowingText, type Pacing } from './growing-text.ts';

const pacing: Pacing = { batchGradient: [2], batchTimeoutMs: 1000, maxLatencyMs: 50, firstLatencyMs: 50 };

describe('growing text', () => {
  it('returns the text appended since the last emission', () => {
    const text = createGrowingText(pacing);
    text.append('one ', 0);
    text.append('two', 0);
    expect(text.emit()).toEqual({ content: 'one two', appended: { appendedFrom: 0, text: 'one two' } });
    text.append(' three', 0);
    expect(text.emit()).toEqual({ content: 'one two three', appended: { appendedFrom: 7, text: ' three' } });
    expect(text.emit()).toEqual({ content: 'one two three', appended: { appendedFrom: 13, text: '' } });
  });

  it('is ready when enough tokens have gathered, or the oldest has waited too long', () => {
    const text = createGrowingText(pacing);
    expect(text.append('one two', 0)).toBe(false);
    expect(text.append(' three', 1)).toBe(true);
    text.emit();
    expect(text.append('slow', 100)).toBe(false);
    expect(text.append('ly', 149)).toBe(false);
    expect(text.append(' on', 150)).toBe(true);
  });

  it('is due after its oldest unsent piece or after silence, whichever comes first', () => {
    const text = createGrowingText({ ...pacing, maxLatencyMs: 1500, firstLatencyMs: 1500 });
    expect(text.dueAt()).toBe(Number.POSITIVE_INFINITY);
    text.append('a', 100);
    expect(text.dueAt()).toBe(1100);
    text.append('b', 900);
    expect(text.dueAt()).toBe(1600);
    text.emit();
    expect(text.dueAt()).toBe(Number.POSITIVE_INFINITY);
  });

  it('emits the first text sooner than what follows', () => {
    const text = createGrowingText({ ...pacing, firstLatencyMs: 5 });
    expect(text.append('o', 100)).toBe(false);
    expect(text.dueAt()).toBe(105);
    expect(text.append('n', 105)).toBe(true);
    text.emit();
    expect(text.append('e', 106)).toBe(false);
    expect(text.dueAt()).toBe(156);
    const atOnce = createGrowingText({ ...pacing, firstLatencyMs: 0 });
    expect([atOnce.append('one', 7), atOnce.emit().content, atOnce.append(' two', 7)]).toEqual([true, 'one', false]);
  });

  it('doesn’t wait for a day when the clock is set back', () => {
    const text = createGrowingText(pacing);
    text.append('a', 90_000_000);
    text.append('b', 1_000);
    expect(text.dueAt()).toBe(1_050);
  });

  it('treats a replacement as an append only if it extends the emitted text', () => {
    const text = createGrowingText(pacing);
    text.append('one', 0);
    text.emit();
    text.append(' too', 0);
    text.replace('one two', 0);
    expect(text.current()).toBe('one two');
    expect(text.emit()).toEqual({ content: 'one two', appended: { appendedFrom: 3, text: ' two' } });
    text.replace('three', 0);
    expect(text.hasUnsent()).toBe(true);
    text.append(' four', 0);
    expect(text.current()).toBe('three four');
    expect(text.emit()).toEqual({ content: 'three four', appended: undefined });
    text.append('!', 0);
    expect(text.emit()).toEqual({ content: 'three four!', appended: { appendedFrom: 10, text: '!' } });
  });

  it('ignores empty pieces', () => {
    const text = createGrowingText(pacing);
    expect(text.append('', 0)).toBe(false);
    expect(text.isEmpty()).toBe(true);
    expect(text.hasUnsent()).toBe(false);
  });
});
