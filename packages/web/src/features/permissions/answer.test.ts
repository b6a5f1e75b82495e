import { describe, expect, it } from 'vitest';
import type { PermissionRequest, Question } from '@liminal/contracts';
import { answersOf, choose, safeRefusal, write } from './answer.ts';

const one: Question = {
  id: 'q1',
  question: 'Which?',
  multiSelect: false,
  options: [{ label: 'A' }, { label: 'B' }],
  freeText: true,
};
const many: Question = { ...one, id: 'q2', multiSelect: true };

describe('answers', () => {
  it('are missing until every question has one', () => {
    expect(answersOf([one, many], choose({}, one, 'A'))).toBeNull();
    expect(answersOf([one, many], choose(choose({}, one, 'A'), many, 'B'))).toEqual({ q1: ['A'], q2: ['B'] });
  });

  it('replace each other for a single choice, and add up for multiple choice', () => {
    expect(answersOf([one], choose(choose({}, one, 'A'), one, 'B'))).toEqual({ q1: ['B'] });
    const both = choose(choose({}, many, 'A'), many, 'B');
    expect(answersOf([many], both)).toEqual({ q2: ['A', 'B'] });
    expect(answersOf([many], choose(both, many, 'A'))).toEqual({ q2: ['B'] });
  });

  it('take free text', () => {
    expect(answersOf([one], write(choose({}, one, 'A'), one, ' something else '))).toEqual({ q1: ['something else'] });
    expect(answersOf([many], write(choose({}, many, 'A'), many, 'more'))).toEqual({ q2: ['A', 'more'] });
    expect(answersOf([one], write({}, one, '   '))).toBeNull();
  });
});

describe('safeRefusal', () => {
  it('is the option that refuses only this request', () => {
    const request = {
      options: [
        { optionId: 'a', name: 'Allow', kind: 'allow_once' },
        { optionId: 'n', name: 'Never', kind: 'reject_always' },
        { optionId: 'r', name: 'Refuse', kind: 'reject_once' },
      ],
    } as unknown as PermissionRequest;
    expect(safeRefusal(request)?.optionId).toBe('r');
    expect(safeRefusal({ ...request, options: request.options.slice(0, 2) })?.optionId).toBe('n');
  });
});
