import { describe, expect, it } from 'vitest';
import { PermissionAnswer, PermissionNotice, PermissionRequest } from './permission.ts';

const allow = { optionId: 'yes', name: 'Allow', kind: 'allow_once' };
const always = { optionId: 'always', name: 'Always', kind: 'allow_always', description: 'In this folder' };
const reject = { optionId: 'no', name: 'Reject', kind: 'reject_once' };
const request = {
  requestId: 'p1',
  turnId: 't1',
  kind: 'tool',
  title: 'Run ls?',
  options: [allow, always, reject],
  openedAt: '2025-01-01T00:00:00.000Z',
};
const accepts = (input: unknown) => PermissionRequest.safeParse(input).success;

describe('permission requests', () => {
  it('accepts the agent’s own options', () => {
    expect(PermissionRequest.parse(request)).toEqual(request);
  });

  it.each([
    ['none', []],
    ['only accepting ones', [allow, always]],
    ['only refusing ones', [reject, { ...reject, optionId: 'never', kind: 'reject_always' }]],
  ])('rejects options that leave no choice: %s', (_, options) => {
    expect(accepts({ ...request, options })).toBe(false);
  });

  it('accepts questions and forms', () => {
    const question = { id: 'q1', question: 'Which?', multiSelect: false, options: [{ label: 'A' }], freeText: true };
    expect(accepts({ ...request, kind: 'question', questions: [question] })).toBe(true);
    expect(accepts({ ...request, kind: 'form', schema: { type: 'object' } })).toBe(true);
    expect(accepts({ ...request, kind: 'question', questions: [{ ...question, id: '' }] })).toBe(false);
  });

  it('rejects an unknown kind of request or option', () => {
    expect(accepts({ ...request, kind: 'wish' })).toBe(false);
    expect(accepts({ ...request, options: [{ ...allow, kind: 'allow_maybe' }, reject] })).toBe(false);
  });

  it('is answered with an option id, optional answers and a note to the agent', () => {
    const answer = { requestId: 'p1', optionId: 'no', answers: { q1: ['A'] }, feedback: 'Use rg' };
    expect(PermissionAnswer.parse(answer)).toEqual(answer);
    expect(PermissionAnswer.safeParse({ requestId: 'p1' }).success).toBe(false);
  });

  it('is announced as open, answered or ended', () => {
    for (const state of ['open', 'answered', 'ended']) {
      expect(PermissionNotice.safeParse({ state, request }).success).toBe(true);
    }
    expect(PermissionNotice.safeParse({ state: 'expired', request }).success).toBe(false);
  });
});
