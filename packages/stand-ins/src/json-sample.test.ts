import { expect, it } from 'vitest';
import { sampleOf } from './json-sample.ts';

it('fits a title and a review', () => {
  expect(sampleOf({ type: 'object', properties: { title: { type: 'string' } } })).toEqual({ title: 'Scripted answer' });
  const review = { properties: { outcome: { enum: ['deny', 'allow'] }, risk: { enum: ['high', 'low'] } } };
  expect(sampleOf(review)).toEqual({ outcome: 'allow', risk: 'low' });
});

it('fits every simple type, in capitals and nullable too', () => {
  expect(sampleOf({ type: 'ARRAY' })).toEqual([]);
  expect(sampleOf({ type: 'array', minItems: 2, items: { type: 'integer', minimum: 3 } })).toEqual([3, 3]);
  expect(sampleOf({ type: ['boolean', 'null'] })).toBe(true);
  expect(sampleOf({ anyOf: [{ type: 'number' }, { type: 'null' }] })).toBe(1);
  expect(sampleOf({ const: 7 })).toBe(7);
  expect(sampleOf({ type: 'null' })).toBeNull();
  expect(sampleOf(undefined)).toBe('Scripted answer');
});
