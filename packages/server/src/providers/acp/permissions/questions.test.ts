import { PermissionRequest } from '@liminal/contracts';
import { readRecording } from '@liminal/stand-ins/recordings';
import { expect, test } from 'vitest';
import { formQuestion } from './form-question.ts';
import { permissionQuestion } from './permission-question.ts';

const place = { requestId: 'r', turnId: 't', openedAt: '2026-01-01T00:00:00.000Z' };
const options = [
  { optionId: 'a', name: 'Allow', kind: 'allow_once' },
  { optionId: 'b', name: 'This session', kind: 'allow_always' },
  { optionId: 'c', name: 'Always', kind: 'allow_always' },
  { optionId: 'n', name: 'No', kind: 'reject_once' },
];
const nothing = () => undefined;

test('shows every option by its name, even two of one kind', () => {
  const question = permissionQuestion({ toolCall: { toolCallId: 'x' }, options }, place, nothing);
  expect(PermissionRequest.parse(question?.request).options).toEqual(options);
  expect(question?.reply({ requestId: 'r', optionId: 'c' })).toEqual({
    outcome: { outcome: 'selected', optionId: 'c' },
  });
});

test('completes a sparse request from the known call', () => {
  const known = { toolName: 'mcp.a.b', title: 'Ask the server', toolArguments: { q: 1 } };
  const question = permissionQuestion({ toolCall: { toolCallId: 'x' }, options }, place, () => known);
  expect(question?.request).toMatchObject({ title: 'Ask the server', toolName: 'mcp.a.b', toolArguments: { q: 1 } });
});

test('Q1: refusing and continuing comes before refusing and ending the turn, which says so', () => {
  const offered = [
    { optionId: 'cancel', name: 'Cancel', kind: 'reject_once' },
    { optionId: 'a', name: 'Allow', kind: 'allow_once' },
    { optionId: 'decline', name: 'Decline', kind: 'reject_once' },
  ];
  const params = { toolCall: { toolCallId: 'x' }, options: offered };
  const question = permissionQuestion(params, place, nothing, { optionTexts: { cancel: 'This ends the turn.' } });
  expect(question?.request.options).toEqual([
    offered[2],
    { ...offered[0], description: 'This ends the turn.' },
    offered[1],
  ]);
  expect(permissionQuestion(params, place, nothing)?.request.options[1]).not.toHaveProperty('description');
});

test('an option of unknown kind never counts as allow, whatever its kind and id are called', () => {
  const unknown = ['allow', 'allow_forever', 'allow_once_', 'ALLOW_ONCE', 'yes', undefined].map((kind, index) => ({
    optionId: `allow-${index}`,
    name: `Allow ${index}`,
    ...(kind !== undefined && { kind }),
  }));
  const ask = (offered: readonly object[]) =>
    permissionQuestion({ toolCall: { toolCallId: 'x' }, options: offered }, place, nothing);
  // No known option accepts, so nobody is asked.
  expect(ask([...unknown, { optionId: 'n', name: 'No', kind: 'reject_once' }])).toBeNull();

  const question = ask([...unknown, ...options]);
  const accepting = PermissionRequest.parse(question?.request).options.filter(({ kind }) => kind.startsWith('allow'));
  expect(accepting.map(({ optionId }) => optionId)).toEqual(['a', 'b', 'c']);
  expect(question?.reply({ requestId: 'r', optionId: 'allow-1' })).toEqual({
    outcome: { outcome: 'selected', optionId: 'allow-1' },
  });
});

test.each(['reject_once', 'reject_always'])(
  'puts an option of unknown kind after the known refusal (%s), so refusing never takes it',
  (kind) => {
    const offered = [
      { optionId: 'x', name: 'Allow forever', kind: 'allow_forever' },
      { optionId: 'a', name: 'Allow', kind: 'allow_once' },
      { optionId: 'n', name: 'No', kind },
    ];
    const shown = permissionQuestion({ toolCall: { toolCallId: 'x' }, options: offered }, place, nothing);
    const refusals = shown?.request.options.filter((option) => option.kind.startsWith('reject')) ?? [];
    expect((refusals.find((option) => option.kind === 'reject_once') ?? refusals[0])?.optionId).toBe('n');
    expect(refusals.at(-1)).toMatchObject({
      optionId: 'x',
      description: expect.stringContaining('allow_forever') as string,
    });
  },
);

test('puts our own refusal before an option of unknown kind if no refusal is known', () => {
  const offered = [
    { optionId: 'x', name: 'Maybe', kind: 'perhaps' },
    { optionId: 'a', name: 'Allow', kind: 'allow_once' },
  ];
  const shown = permissionQuestion({ toolCall: { toolCallId: 'x' }, options: offered }, place, nothing);
  expect(shown?.request.options.map(({ optionId }) => optionId)).toEqual(['a', 'liminal:reject', 'x']);
});

test('shows a plan review as a plan', () => {
  const toolCall = { toolCallId: 'plan-review:1', kind: 'switch_mode', title: 'Implement the plan?' };
  expect(permissionQuestion({ toolCall, options }, place, nothing)?.request.kind).toBe('plan');
});

test('Q17: turns Codex’s question with a note field into one question with free text, answered in both fields', () => {
  const asked = readRecording('codex/19-elicit.jsonl').find(({ msg }) => msg['method'] === 'elicitation/create');
  const question = formQuestion(asked?.msg['params'], place);
  expect(PermissionRequest.parse(question?.request)).toMatchObject({
    kind: 'question',
    questions: [{ id: 'q1', header: 'Colour', question: 'Which colour?', multiSelect: false, freeText: true }],
  });
  const reply = (label: string): unknown =>
    question?.reply({ requestId: 'r', optionId: 'accept', answers: { q1: [label] } });
  expect(reply('red')).toEqual({ action: 'accept', content: { q1: 'red' } });
  expect(reply('green')).toEqual({ action: 'accept', content: { q1: 'None of the above', q1_note: 'green' } });
  expect(question?.reply({ requestId: 'r', optionId: 'decline' })).toEqual({ action: 'decline' });
  expect(question?.withdrawn).toEqual({ action: 'cancel' });
});

test('turns choices, multiple choices, yes or no, and texts into questions with values for their labels', () => {
  const properties = {
    size: { type: 'string', enum: ['s', 'm'] },
    colours: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'r', title: 'Red' },
          { const: 'b', title: 'Blue' },
        ],
      },
    },
    sure: { type: 'boolean', title: 'Sure?' },
    why: { type: 'string', title: 'Why?' },
  };
  const question = formQuestion(
    { mode: 'form', message: 'Some things', requestedSchema: { type: 'object', properties } },
    place,
  );
  const answers = { size: ['m'], colours: ['Red', 'Blue'], sure: ['No'], why: ['because'] };
  expect(question?.reply({ requestId: 'r', optionId: 'accept', answers })).toEqual({
    action: 'accept',
    content: { size: 'm', colours: ['r', 'b'], sure: false, why: 'because' },
  });
});

test('shows a form with numbers as a form', () => {
  const requestedSchema = { type: 'object', properties: { port: { type: 'integer' } } };
  const question = formQuestion({ mode: 'form', message: 'Which port?', requestedSchema }, place);
  expect(question?.request).toMatchObject({ kind: 'form', schema: requestedSchema });
  expect(question?.reply({ requestId: 'r', optionId: 'accept', answers: { port: 80 } })).toEqual({
    action: 'accept',
    content: { port: 80 },
  });
});

test('does not ask in a mode we never offered', () => {
  expect(formQuestion({ mode: 'url', url: 'https://x' }, place)).toBeNull();
});
