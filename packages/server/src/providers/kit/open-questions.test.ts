import type { PermissionRequest } from '@liminal/contracts';
import { expect, test } from 'vitest';
import type { PermissionSignal } from '../provider.ts';
import { type AgentQuestion, createOpenQuestions } from './open-questions.ts';

function setup() {
  const published: PermissionSignal[] = [];
  return { published, questions: createOpenQuestions('Agent', (signal) => published.push(signal)) };
}

const question = (requestId: string, more: Partial<PermissionRequest> = {}): AgentQuestion<string> => ({
  request: {
    requestId,
    turnId: 'turn',
    openedAt: '2026-01-01T00:00:00.000Z',
    kind: 'tool',
    title: 'Write a file',
    options: [
      { optionId: 'yes', name: 'Allow once', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ],
    ...more,
  },
  reply: ({ optionId }) => `answered ${optionId}`,
  withdrawn: 'withdrawn',
});

const never = new AbortController().signal;

test.each([
  ['yes', true],
  ['no', false],
])('turns the answer "%s" into the reply to the agent, and says whether it allows', async (optionId, accepted) => {
  const { questions, published } = setup();
  const asked = question('a');
  const result = questions.ask(asked, never);
  questions.answer({ requestId: 'a', optionId });
  expect(await result).toEqual({ accepted, reply: `answered ${optionId}` });
  expect(published).toEqual([{ state: 'open', request: asked.request }]);
});

test('rejects an option that was not offered, and the question stays open', async () => {
  const { questions } = setup();
  const result = questions.ask(question('a'), never);
  expect(() => questions.answer({ requestId: 'a', optionId: 'maybe' })).toThrow("Agent didn't offer");
  questions.answer({ requestId: 'a', optionId: 'yes' });
  expect(await result).toMatchObject({ accepted: true });
});

test('rejects a second answer and an answer to an unknown request', () => {
  const { questions } = setup();
  void questions.ask(question('a'), never);
  questions.answer({ requestId: 'a', optionId: 'yes' });
  for (const requestId of ['a', 'b'])
    expect(() => questions.answer({ requestId, optionId: 'yes' })).toThrow('no longer waiting');
});

test('an abort withdraws the question once', async () => {
  const { questions, published } = setup();
  const abort = new AbortController();
  const result = questions.ask(question('a'), abort.signal);
  abort.abort();
  questions.endAll('The turn ended.');
  expect(await result).toEqual({ accepted: false, reply: 'withdrawn' });
  expect(published.slice(1)).toEqual([{ state: 'ended', requestId: 'a', reason: 'Agent withdrew the question.' }]);
});

test('never shows a question that was aborted before it was asked', async () => {
  const { questions, published } = setup();
  expect(await questions.ask(question('a'), AbortSignal.abort())).toEqual({ accepted: false, reply: 'withdrawn' });
  expect(published).toEqual([]);
});

test('the end of a turn withdraws its questions but not those that outlive it', async () => {
  const { questions, published } = setup();
  const ofTurn = questions.ask(question('a'), never);
  const ofSubagent = questions.ask(question('b', { outlivesTurn: true }), never);
  questions.endTurn('The turn ended.');
  expect(await ofTurn).toEqual({ accepted: false, reply: 'withdrawn' });
  questions.answer({ requestId: 'b', optionId: 'yes' });
  expect(await ofSubagent).toMatchObject({ accepted: true });
  expect(published.slice(2)).toEqual([{ state: 'ended', requestId: 'a', reason: 'The turn ended.' }]);
});

test('the end of the session withdraws every question', async () => {
  const { questions } = setup();
  const results = [questions.ask(question('a'), never), questions.ask(question('b', { outlivesTurn: true }), never)];
  questions.endAll('The session was ended.');
  expect(await Promise.all(results)).toEqual(results.map(() => ({ accepted: false, reply: 'withdrawn' })));
});
