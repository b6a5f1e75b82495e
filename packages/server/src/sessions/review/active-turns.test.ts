import { expect, it } from 'vitest';
import { createActiveTurns } from './active-turns.ts';

const turn = (sessionId: string, named: string) => ({
  sessionId,
  turnId: `${sessionId}'s turn`,
  gitDir: '/p/.git',
  named: () => new Set([named]),
});

it('CP-3: attributes to others what their calls named meanwhile', () => {
  const active = createActiveTurns();
  active.begin(turn('a', 'a.txt'));
  active.begin(turn('b', 'b.txt'));
  expect(active.end(turn('a', ''))).toEqual(new Set(['b.txt']));
});

it('CP-3: counts no turn of a session that has left, not even one that was just starting', () => {
  const active = createActiveTurns();
  const [left, other] = [active.of('a'), active.of('b')];
  left.begin(turn('a', 'a.txt'));
  left.close();
  left.begin({ ...turn('a', 'late.txt'), turnId: 'another' });
  other.begin(turn('b', 'b.txt'));
  expect(other.end(turn('b', ''))).toEqual(new Set());
  // Opened here again.
  active.of('a').begin(turn('a', 'again.txt'));
  other.begin(turn('b', 'b.txt'));
  expect(other.end(turn('b', ''))).toEqual(new Set(['again.txt']));
});
