import { describe, expect, it } from 'vitest';
import { fuzzyFilter, fuzzyScore } from './fuzzy.ts';

describe('fuzzy', () => {
  it('finds words in any order, and letters with few gaps', () => {
    expect(fuzzyScore('session new', 'New session')).not.toBeNull();
    expect(fuzzyScore('nses', 'New session')).not.toBeNull();
    expect(fuzzyScore('xyz', 'New session')).toBeNull();
    expect(fuzzyScore('', 'anything')).not.toBeNull();
  });

  it('ranks starts of words before their middles, and short before long', () => {
    const order = fuzzyFilter('tab', ['Establish it', 'Move tab left', 'Next tab'], (each) => each);
    expect(order).toEqual(['Next tab', 'Move tab left', 'Establish it']);
  });
});
