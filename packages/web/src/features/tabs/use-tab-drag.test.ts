import { expect, it } from 'vitest';
import { dropPlace, nearestEdge } from './use-tab-drag.ts';

const boxes = ['a', 'b', 'c'].map((id, index) => ({ id, left: index * 100, width: 100 }));

it.each([
  ['a', 40, null],
  ['a', 140, null],
  ['a', 160, { at: 'c', side: 'before' }],
  ['a', 260, { at: 'c', side: 'after' }],
  ['a', 9999, { at: 'c', side: 'after' }],
  ['b', 40, { at: 'a', side: 'before' }],
  ['b', 150, null],
  ['b', 260, { at: 'c', side: 'after' }],
  ['c', -50, { at: 'a', side: 'before' }],
  ['c', 120, { at: 'b', side: 'before' }],
] as const)('a tab %s dragged to %i goes to %j', (dragged, x, place) => {
  expect(dropPlace(boxes, dragged, x)).toEqual(place);
});

it('doesn’t move a single tab', () => {
  expect(dropPlace(boxes.slice(0, 1), 'a', 500)).toBeNull();
});

it.each([
  [0.1, 0.5, 'left'],
  [0.9, 0.4, 'right'],
  [0.5, 0.05, 'top'],
  [0.4, 0.95, 'bottom'],
] as const)('a tab at %f, %f of a pane goes to its edge on the %s', (x, y, edge) => {
  expect(nearestEdge(x, y)).toBe(edge);
});
