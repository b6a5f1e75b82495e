import type { PermissionRequest } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { createTerminal } from '../base/terminal.ts';
import { type Asked, askFor } from './question.ts';

const { colours } = createTerminal(process.stdout, process.stderr, { NO_COLOR: '1' }, false);
const request: PermissionRequest = {
  requestId: 'r',
  turnId: 't',
  kind: 'tool',
  title: 'Run a command',
  toolArguments: { command: 'rm -rf build\u001b[1K \u200bsrc' },
  options: [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ],
  openedAt: '2026-01-01T00:00:00.000Z',
};
const asked = (more: Partial<PermissionRequest> = {}): Asked =>
  askFor({ ...request, ...more }, colours) ?? expect.unreachable('nothing is asked');

describe('a permission request in the terminal', () => {
  it('shows the whole command, including hidden characters', () => {
    const { text } = asked();
    expect(text).toContain('rm -rf build␛[1K ⟨U+200B⟩src');
    expect(text).toContain('1  Allow\n  2  Reject');
  });

  it('accepts only a number as the answer', () => {
    const { read } = asked();
    expect(read(' 2 ')).toEqual({ answer: { requestId: 'r', optionId: 'no' } });
    for (const line of ['', 'y', '0', '3', '1.5', '1 2']) expect(read(line)).toHaveProperty('again');
  });

  it('asks one question after the other', () => {
    const question = { id: 'q1', question: 'Which?', multiSelect: true, freeText: false };
    const first = asked({
      questions: [
        { ...question, options: [{ label: 'red' }, { label: 'blue' }] },
        { ...question, id: 'q2', multiSelect: false, freeText: true, options: [{ label: 'soon' }] },
      ],
    });
    expect(first.read('green')).toHaveProperty('again');
    const second = first.read('1, 2');
    if (!('next' in second)) return expect.unreachable('there is a second question');
    expect(second.next.read('')).toHaveProperty('again');
    expect(second.next.read('tomorrow')).toEqual({
      answer: { requestId: 'r', optionId: 'yes', answers: { q1: ['red', 'blue'], q2: ['tomorrow'] } },
    });
  });

  it('leaves forms to the page', () => {
    expect(askFor({ ...request, schema: {} }, colours)).toBeNull();
  });
});
