import { BridgeMessage, type PermissionRequest, type UpsertObject } from '@liminal/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChangeBody } from '../delivery/change.ts';
import { message, plan, thinking, toolCall, turnStarted } from '../timeline/testing/messages.ts';
import { bridgeAll, changesOfHistory, joinQuietly } from './bridge-history.ts';
import { emptyHostState } from './host-state.ts';

const options = { sessionId: 's' };
const upsert = (payload: UpsertObject): ChangeBody => ({ type: 'session:upsert', payload });
const stepOf = (bodies: readonly ChangeBody[], replay = false) => {
  const step = bridgeAll(emptyHostState, bodies, { ...options, replay });
  for (const message of step.messages) expect(BridgeMessage.parse(message)).toEqual(message);
  return step;
};
const words = (bodies: readonly ChangeBody[], replay = false) =>
  stepOf(bodies, replay).messages.map((message) => [
    message.type,
    'subtype' in message ? message.subtype : '',
    'text' in message ? message.text : '',
  ]);

const request: PermissionRequest = {
  requestId: 'r1',
  turnId: 't1',
  kind: 'tool',
  title: 'Run rm',
  options: [
    { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
    { optionId: 'no', name: 'No', kind: 'reject_once' },
  ],
  openedAt: '2026-01-01T00:00:00.000Z',
};

describe('BR-1: messages to a channel host', () => {
  it('BR-1: growing text comes in pieces that share msg_id', () => {
    const states = (['create', 'update', 'complete'] as const).map((status, index) =>
      upsert(message('t1:1:0', { content: 'one two three'.slice(0, 4 + index * 5), status, order: 1 })),
    );
    const { messages, host } = stepOf(states);
    expect(messages).toMatchObject([
      { type: 'agent_text', msg_id: 't1:1:0', text: 'one ', done: false },
      { type: 'agent_text', msg_id: 't1:1:0', text: 'two t', done: false },
      { type: 'agent_text', msg_id: 't1:1:0', text: 'hree', done: true },
    ]);
    expect(host.open.size).toBe(0);
  });

  it('BR-1: text that didn’t only grow replaces what was sent; a retracted answer is emptied', () => {
    const open = upsert(message('t1:1:0', { content: 'wrong', status: 'create', order: 1 }));
    const other = upsert(message('t1:1:0', { content: 'right', status: 'update', order: 1 }));
    const gone = upsert(message('t1:1:0', { content: 'right', status: 'error', errorCode: 'SUPERSEDED', order: 1 }));
    expect(stepOf([open, other, gone]).messages.slice(1)).toMatchObject([
      { text: 'right', replace: true },
      { text: '', replace: true, done: true },
    ]);
  });

  it('BR-1: thinking, notes, plans and turn events have their own message types', () => {
    const done = { type: 'turn_complete', turnId: 't1', sessionId: 's', status: 'completed' } as const;
    const bodies: ChangeBody[] = [
      { type: 'session:turn', payload: turnStarted() },
      upsert(thinking('t1:1:0', { order: 1 })),
      upsert(message('t1:n1:0', { origin: 'system', content: 'compacted', order: 2 })),
      upsert(plan('t1:2:0', { order: 3 })),
      { type: 'session:info', payload: { modelId: 'm' } },
      { type: 'session:turn', payload: done },
    ];
    expect(words(bodies)).toEqual([
      ['system', 'turn_started', ''],
      ['agent_thought', '', 'hm'],
      ['system', 'note', 'compacted'],
      ['system', 'plan', ''],
      ['agent_info', '', ''],
      ['system', 'turn_complete', ''],
    ]);
  });

  it('BR-1: a call is sent once, then updated under the same ids', () => {
    const call = (status: UpsertObject['status'], fields = {}) =>
      upsert(toolCall('t1:1:0', { status, order: 1, ...fields }));
    const output = { toolOutput: 'no such file', toolOutputIsError: true };
    const { messages } = stepOf([
      call('create'),
      call('update', { toolArguments: { path: 'a' } }),
      call('complete', output),
    ]);
    expect(messages).toMatchObject([
      { type: 'tool_call', name: 'Tool', status: 'pending', call_id: 'call-t1:1:0', msg_id: 't1:1:0' },
      { type: 'tool_call_update', status: 'in_progress', arguments: { path: 'a' }, call_id: 'call-t1:1:0' },
      { type: 'tool_call_update', status: 'failed', output: 'no such file', output_is_error: true },
    ]);
  });

  it('BR-1: a request is sent once with the agent’s own options, and so is its end', () => {
    const notice = (state: 'open' | 'answered', more = {}): ChangeBody => ({
      type: 'session:permission',
      payload: { state, request, ...more },
    });
    const { messages } = stepOf([
      notice('open'),
      notice('open'),
      notice('answered', { optionId: 'no' }),
      notice('answered'),
    ]);
    expect(messages).toMatchObject([
      { type: 'permission_request', id: 'r1', options: [{ optionId: 'yes' }, { optionId: 'no' }] },
      { type: 'system', subtype: 'permission_closed', id: 'r1', state: 'answered', option_id: 'no' },
    ]);
  });

  it('BR-1: the user’s own messages are sent only with a history', () => {
    const own = upsert(message('t1:0:0', { origin: 'user', content: 'hello', order: 0 }));
    expect(words([own])).toEqual([]);
    expect(words([own], true)).toEqual([['system', 'user_message', 'hello']]);
  });

  it('BR-1: a host that joins without the history receives what is open, and continues from there', () => {
    const history = {
      entries: [
        message('t0:1:0', { turnId: 't0', order: 0 }),
        message('t1:1:0', { content: 'so far', status: 'update', order: 1 }),
      ],
      turns: [
        {
          turnId: 't0',
          state: 'completed',
          ended: { type: 'turn_complete', turnId: 't0', sessionId: 's', status: 'completed' },
        },
        { turnId: 't1', state: 'running', started: turnStarted() },
      ],
      hasMore: false,
      permissions: [request],
      queue: [],
      status: { state: 'open', activity: 'waiting', isAlive: true },
      info: {},
    } as Parameters<typeof changesOfHistory>[0];
    const joined = joinQuietly(stepOf(changesOfHistory(history), true));
    expect(joined.messages.map(({ type }) => type)).toEqual([
      'agent_info',
      'system',
      'agent_text',
      'permission_request',
    ]);
    const next = upsert(message('t1:1:0', { content: 'so far, so good', status: 'complete', order: 1 }));
    expect(bridgeAll(joined.host, [next], options).messages).toMatchObject([{ text: ', so good', done: true }]);
  });

  it('BR-1: whichever states are skipped, the pieces add up to the text, and sending twice adds nothing', () => {
    const sizes = fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.string({ minLength: 60, maxLength: 60 }), sizes, sizes, (text, first, second) => {
        const states = (itemId: string, order: number, cuts: readonly number[]) =>
          [...cuts.toSorted((a, b) => a - b), text.length].map((length, index) =>
            upsert(
              message(itemId, {
                content: text.slice(0, length),
                status: index === cuts.length ? 'complete' : 'update',
                order,
              }),
            ),
          );
        // The later item ends first, which can happen while catching up.
        const bodies = [...states('t1:2:0', 2, second), ...states('t1:1:0', 1, first)];
        const { host, messages } = bridgeAll(emptyHostState, bodies, options);
        for (const itemId of ['t1:1:0', 't1:2:0']) {
          const pieces = messages.flatMap((piece) =>
            'msg_id' in piece && piece.msg_id === itemId && 'text' in piece ? [piece.text] : [],
          );
          expect(pieces.join('')).toBe(text);
        }
        expect(bridgeAll(host, bodies, options).messages).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
