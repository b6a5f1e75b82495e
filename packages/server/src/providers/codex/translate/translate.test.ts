import { describe, expect, test } from 'vitest';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { createTranslator } from './translate.ts';

const start = (options: { readonly holdsPlans?: () => boolean } = {}) => {
  const translator = createTranslator({ sessionId: 's', providerId: 'codex', maxLatencyMs: 50, ...options });
  let at = 0;
  return {
    translator,
    say: (method: string, params: object) => translator.notified(method, { ...params }, (at += 10)),
    begin(turnId = 't', nativeId = 'n') {
      translator.startTurn({ turnId }, (at += 10));
      translator.bind(nativeId);
    },
  };
};
const payloads = (emissions: readonly Emission[]): unknown[] =>
  emissions.map((each) => (each.kind === 'turn' ? each.event : each.upsert));
const end = (status: string, error: unknown = null) => ({ turn: { id: 'n', status, error } });

describe('turns', () => {
  test('CX-1: a turn that Codex starts by itself has Codex’s own id and is the agent’s', () => {
    const { say } = start();
    expect(payloads(say('turn/started', { turn: { id: 'own' } }).emissions)).toMatchObject([
      { type: 'turn_started', turnId: 'own', initiator: 'agent' },
    ]);
    expect(payloads(say('turn/completed', { turn: { id: 'own', status: 'completed' } }).emissions)).toMatchObject([
      { type: 'turn_complete', turnId: 'own', status: 'completed' },
    ]);
  });

  test('CX-1: a review ends with its root, even if its part is reported before the answer is processed', () => {
    const { translator, say } = start();
    translator.startTurn({ turnId: 'review' }, 0);
    say('turn/started', { turn: { id: 'part', rootTurnId: 'n' } });
    translator.bind('n');
    expect(say('turn/completed', { turn: { id: 'part', rootTurnId: 'n', status: 'completed' } }).emissions).toEqual([]);
    expect(payloads(say('turn/completed', end('completed')).emissions)).toMatchObject([{ turnId: 'review' }]);
  });

  test('the end of another turn ends nothing, and one end is enough', () => {
    const { say, begin } = start();
    begin();
    expect(say('turn/completed', { turn: { id: 'other', status: 'completed' } }).emissions).toEqual([]);
    expect(say('turn/completed', end('completed')).emissions).toHaveLength(1);
    expect(say('turn/completed', end('completed')).emissions).toEqual([]);
  });

  test.each([
    ['usageLimitExceeded', 'RATE_LIMITED'],
    [{ responseTooManyFailedAttempts: { httpStatusCode: 429 } }, 'RATE_LIMITED'],
    ['unauthorized', 'AGENT_AUTH_REQUIRED'],
    ['contextWindowExceeded', 'MODEL_ERROR'],
    [null, 'MODEL_ERROR'],
  ])('CX-1: a failure of the kind %j is %s', (codexErrorInfo, errorCode) => {
    const { say, begin } = start();
    begin();
    const { emissions } = say('turn/completed', end('failed', { message: 'It broke.', codexErrorInfo }));
    expect(payloads(emissions)).toMatchObject([{ type: 'turn_error', errorCode }]);
  });

  test('a cancelled turn counts as cancelled however it ends', () => {
    const { translator, say, begin } = start();
    begin();
    translator.noteCancel();
    expect(payloads(say('turn/completed', end('failed', { message: 'x' })).emissions)).toMatchObject([
      { type: 'turn_complete', status: 'cancelled' },
    ]);
  });

  test('CX-1: the usage of a turn is what the thread used since it started, even in a resumed thread', () => {
    const { say, begin } = start();
    const usage = (total: number, last: number) => ({
      tokenUsage: {
        total: { inputTokens: total, outputTokens: 1 },
        last: { inputTokens: last, outputTokens: 1, totalTokens: last + 1 },
        modelContextWindow: 1000,
      },
    });
    begin();
    expect(say('thread/tokenUsage/updated', usage(500, 100)).info).toMatchObject({
      context: { used: 101, size: 1000 },
    });
    say('thread/tokenUsage/updated', usage(650, 150));
    expect(payloads(say('turn/completed', end('completed')).emissions)).toMatchObject([
      { usage: { inputTokens: 250 } },
    ]);
    begin('t2', 'n');
    expect(payloads(say('turn/completed', end('completed')).emissions)[0]).not.toHaveProperty('usage');
  });
});

test('CX-1: plan updates are one plan item that follows the newest list', () => {
  const { say, begin } = start();
  begin();
  const plan = (status: string) => ({
    turnId: 'n',
    plan: [
      { step: 'Look', status },
      { step: 'Write', status: 'pending' },
    ],
  });
  expect(payloads(say('turn/plan/updated', plan('inProgress')).emissions)).toMatchObject([
    { type: 'plan', status: 'create', entries: [{ content: 'Look', status: 'in_progress' }, { content: 'Write' }] },
  ]);
  expect(payloads(say('turn/plan/updated', plan('completed')).emissions)).toMatchObject([
    { type: 'plan', status: 'update', entries: [{ status: 'completed' }, { status: 'pending' }] },
  ]);
});

test('CX-1: a message goes on after the plan in its middle', () => {
  const { say, begin } = start();
  begin();
  const word = (method: string, itemId: string, delta: string) => say(method, { turnId: 'n', itemId, delta });
  word('item/agentMessage/delta', 'm', 'Before. ');
  word('item/plan/delta', 'p', '# Pl');
  word('item/agentMessage/delta', 'm', 'After.');
  const plan = say('item/completed', { turnId: 'n', item: { type: 'plan', id: 'p', text: '# Plan' } });
  const text = 'Before. After.';
  const message = say('item/completed', { turnId: 'n', item: { type: 'agentMessage', id: 'm', text } });
  expect(payloads(plan.emissions).at(-1)).toMatchObject({ status: 'complete', content: '# Plan' });
  expect(payloads(message.emissions).at(-1)).toMatchObject({ status: 'complete', content: text });
});

test('CX-1: a turn that ends with a plan waits until the user has answered, if they are asked', () => {
  const { translator, say, begin } = start({ holdsPlans: () => true });
  begin();
  say('item/completed', { turnId: 'n', item: { type: 'plan', id: 'p', text: '# Plan' } });
  expect(say('turn/completed', end('completed'))).toEqual({ emissions: [], planned: { planId: 'p', text: '# Plan' } });
  expect(translator.runningTurnId).toBe('t');
  expect(translator.finishPlan(true, 100).emissions).toEqual([]);
  translator.bind('n2');
  say('item/completed', { item: { type: 'agentMessage', id: 'm', text: 'Done.' } });
  expect(payloads(say('turn/completed', { turn: { id: 'n2', status: 'completed' } }).emissions)).toMatchObject([
    { type: 'turn_complete', turnId: 't' },
  ]);
});

test('CX-1: reports limits, title and tool servers as session info', () => {
  const { say } = start();
  const rateLimits = {
    primary: { usedPercent: 43, windowDurationMins: 300, resetsAt: 1_800_000_000 },
    secondary: null,
    planType: 'plus',
  };
  expect(say('account/rateLimits/updated', { rateLimits }).info).toEqual({
    rateLimits: [{ usedPercent: 43, windowMinutes: 300, resetsAt: '2027-01-15T08:00:00.000Z' }],
  });
  expect(say('thread/name/updated', { threadName: 'A title' }).info).toEqual({ title: 'A title' });
  say('mcpServer/startupStatus/updated', { name: 'a', status: 'ready' });
  expect(say('mcpServer/startupStatus/updated', { name: 'b', status: 'failed', error: 'no' }).info).toEqual({
    mcpServers: [
      { name: 'a', state: 'ready' },
      { name: 'b', state: 'failed', message: 'no' },
    ],
  });
});

test('shows a retry as a note, and counts unknown messages', () => {
  const { say, begin } = start();
  begin();
  expect(payloads(say('error', { error: { message: 'Reconnecting' }, willRetry: true }).emissions)).toMatchObject([
    { type: 'message', origin: 'system', content: 'Reconnecting' },
  ]);
  expect(say('error', { error: { message: 'Gone' }, willRetry: false }).emissions).toEqual([]);
  expect(say('thread/new/thing', {})).toEqual({ emissions: [], unknown: 'thread/new/thing' });
  expect(say('item/started', { item: { type: 'hologram', id: 'x' } }).unknown).toBe('item hologram');
});
