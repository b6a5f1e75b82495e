import { describe, expect, it } from 'vitest';
import { createGrowingText, type Pacing } from './growing-text.ts';

const pacing: Pacing = { batchGradient: [2], batchTimeoutMs: 1000, maxLatencyMs: 50, firstLatencyMs: 50 };

describe('growing text', () => {
  it('says what was appended since it was last emitted', () => {
    const text = createGrowingText(pacing);
    text.append('one ', 0);
    text.append('two', 0);
    expect(text.emit()).toEqual({ content: 'one two', appended: { appendedFrom: 0, text: 'one two' } });
    text.append(' three', 0);
    expect(text.emit()).toEqual({ content: 'one two three', appended: { appendedFrom: 7, text: ' three' } });
    expect(text.emit()).toEqual({ content: 'one two three', appended: { appendedFrom: 13, text: '' } });
  });

  it('is ready to be emitted when enough tokens wait, or the oldest has waited too long', () => {
    const text = createGrowingText(pacing);
    expect(text.append('one two', 0)).toBe(false);
    expect(text.append(' three', 1)).toBe(true);
    text.emit();
    expect(text.append('slow', 100)).toBe(false);
    expect(text.append('ly', 149)).toBe(false);
    expect(text.append(' on', 150)).toBe(true);
  });

  it('is due by its oldest unsent piece or by silence, whichever comes first', () => {
    const text = createGrowingText({ ...pacing, maxLatencyMs: 1500, firstLatencyMs: 1500 });
    expect(text.dueAt()).toBe(Number.POSITIVE_INFINITY);
    text.append('a', 100);
    expect(text.dueAt()).toBe(1100);
    text.append('b', 900);
    expect(text.dueAt()).toBe(1600);
    text.emit();
    expect(text.dueAt()).toBe(Number.POSITIVE_INFINITY);
  });

  it('lets the first text wait less long than what follows', () => {
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

  it('isn’t delayed by a day when the clock is set back', () => {
    const text = createGrowingText(pacing);
    text.append('a', 90_000_000);
    text.append('b', 1_000);
    expect(text.dueAt()).toBe(1_050);
  });

  it('treats a replacement that extends the emitted text as an append, and no other', () => {
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

  it('takes no notice of empty pieces', () => {
    const text = createGrowingText(pacing);
    expect(text.append('', 0)).toBe(false);
    expect(text.isEmpty()).toBe(true);
    expect(text.hasUnsent()).toBe(false);
  });
});
