import { PermissionRequest } from '@liminal/contracts';
import { describe, expect, test } from 'vitest';
import type { PermissionQuestion } from '../process/claude-sdk.ts';
import { askedForm, askedQuestion } from './permission-question.ts';

const { signal } = new AbortController();
const place = { turnId: 't', openedAt: '2026-01-01T00:00:00.000Z', trusted: false, callArguments: {} };
const asked = (
  toolName: string,
  input: Record<string, unknown>,
  more: Partial<PermissionQuestion> = {},
): PermissionQuestion => ({
  toolName,
  input,
  callId: 'c',
  requestId: 'r',
  suggestions: [],
  title: undefined,
  description: undefined,
  reason: undefined,
  blockedPath: undefined,
  onceOnly: false,
  subagentId: undefined,
  signal,
  ...more,
});

describe('a question to the user', () => {
  test("a tool is allowed with its input, or refused with the user's reason", () => {
    const suggestions: PermissionQuestion['suggestions'] = [
      { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'userSettings' },
    ];
    const question = askedQuestion(
      asked('Bash', { command: 'ls' }, { suggestions, description: 'list', reason: 'needs approval' }),
      place,
    );
    expect(PermissionRequest.parse(question.request)).toMatchObject({
      title: 'Bash: ls',
      description: 'list\nneeds approval',
      callId: 'c',
    });
    expect(question.reply({ requestId: 'r', optionId: 'allow' })).toMatchObject({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
    });
    expect(question.reply({ requestId: 'r', optionId: 'always-0' })).toMatchObject({
      updatedPermissions: [{ type: 'addRules', destination: 'session' }],
      decisionClassification: 'user_permanent',
    });
    expect(question.reply({ requestId: 'r', optionId: 'reject', feedback: ' no ' })).toMatchObject({
      behavior: 'deny',
      message: 'no',
    });
    expect(question.withdrawn).toMatchObject({ behavior: 'deny' });
  });

  test('offers nothing permanent if only this call may be allowed', () => {
    const suggestions: PermissionQuestion['suggestions'] = [
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ];
    const question = askedQuestion(asked('Write', {}, { suggestions, onceOnly: true }), place);
    expect(question.request.options.map(({ kind }) => kind)).toEqual(['allow_once', 'reject_once']);
  });

  test('questions: joins several labels, accepts free text, omits unanswered ones', () => {
    const questions = [
      { question: 'A?', multiSelect: true, options: [{ label: 'x' }, {}] },
      { question: 'B?' },
      { question: 'C?' },
      'odd',
    ];
    const question = askedQuestion(asked('AskUserQuestion', { questions }), place);
    expect(PermissionRequest.parse(question.request).questions).toMatchObject([
      { id: 'q0', multiSelect: true, options: [{ label: 'x' }] },
      { id: 'q1' },
      { id: 'q2' },
    ]);
    expect(
      question.reply({ requestId: 'r', optionId: 'answer', answers: { q0: ['x', 'y'], q1: 'mine' } }),
    ).toMatchObject({
      updatedInput: { questions, answers: { 'A?': 'x, y', 'B?': 'mine' } },
    });
  });

  test('a plan without text is shown from its call', () => {
    const question = askedQuestion(asked('ExitPlanMode', {}), { ...place, callArguments: { plan: '# Plan' } });
    expect(question.request).toMatchObject({ kind: 'plan', description: '# Plan' });
    expect(question.reply({ requestId: 'r', optionId: 'allow' })).toMatchObject({
      updatedPermissions: [{ mode: 'default' }],
      decisionClassification: 'user_temporary',
    });
    expect(question.reply({ requestId: 'r', optionId: 'always-edits' })).toMatchObject({
      updatedPermissions: [{ mode: 'acceptEdits' }],
    });
  });

  test('a server’s form is shown as a form', () => {
    const form = askedForm(
      { requestId: 'r', server: 'github', message: 'Who?', url: undefined, schema: { type: 'object' }, signal },
      place,
    );
    expect(PermissionRequest.parse(form.request)).toMatchObject({
      kind: 'form',
      schema: { type: 'object' },
      description: 'Who?',
    });
    expect(form.reply({ requestId: 'r', optionId: 'accept', answers: { name: 'x' } })).toEqual({
      action: 'accept',
      content: { name: 'x' },
    });
    expect(form.reply({ requestId: 'r', optionId: 'reject' })).toEqual({ action: 'decline' });
  });
});
