import { describe, expect, it } from 'vitest';
import { loudest, signOf, type SignFacts } from './sign.ts';

const facts = (part: Partial<SignFacts>): SignFacts => ({
  state: 'open',
  activity: 'idle',
  failed: false,
  unread: false,
  ...part,
});

describe('signs', () => {
  it('show what needs the person most', () => {
    expect(signOf(facts({ activity: 'waiting', failed: true, unread: true }))).toBe('waiting');
    expect(signOf(facts({ activity: 'working', failed: true }))).toBe('working');
    expect(signOf(facts({ failed: true, unread: true }))).toBe('failed');
    expect(signOf(facts({ unread: true, activity: 'asleep' }))).toBe('unread');
    expect(signOf(facts({ activity: 'asleep' }))).toBe('asleep');
    expect(signOf(facts({ state: 'dead' }))).toBe('failed');
    expect(signOf(facts({}))).toBe('quiet');
  });

  it('stand together as the loudest', () => {
    expect(loudest(['asleep', 'working', 'waiting'])).toBe('waiting');
    expect(loudest(['asleep', 'quiet'])).toBe('quiet');
    expect(loudest([])).toBe('quiet');
  });
});
