import type { ToolCallUpsert } from '@liminal/contracts';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { expect, test } from 'vitest';
import { call as anyCall, change, words } from '../testing/updates.ts';
import { createTranslator, type Translator } from './translate.ts';

const call = (toolCallId: string, fields: object = {}): object =>
  anyCall(toolCallId, { title: 'ls', status: 'pending', ...fields });
const make = (): Translator => createTranslator({ sessionId: 's', providerId: 'p' });

const callsIn = (emissions: readonly Emission[]): ToolCallUpsert[] =>
  emissions.flatMap((emission) =>
    emission.kind === 'upsert' && emission.upsert.type === 'tool_call' ? [emission.upsert] : [],
  );
/** The calls among the emissions of these updates. */
const callsAfter = (translator: Translator, updates: readonly object[]): ToolCallUpsert[] =>
  callsIn(updates.flatMap((raw) => [...translator.update(raw, 5).emissions]));

/** Runs one turn with these updates; returns the last state of each of its calls. */
function turn(translator: Translator, turnId: string, updates: readonly object[], stopReason = 'end_turn') {
  translator.startTurn({ turnId }, 1);
  const calls = callsAfter(translator, updates);
  calls.push(...callsIn(translator.endTurn({ response: { stopReason } }, 9).emissions));
  return [...new Map(calls.map((state) => [state.itemId, state])).values()];
}

test('keeps separate cards for an agent that reuses its call ids in every turn', () => {
  const translator = make();
  for (const turnId of ['t1', 't2', 't3']) {
    const calls = turn(translator, turnId, [call('1'), change('1', { status: 'completed', ...words(turnId) })]);
    expect(calls).toMatchObject([{ itemId: `${turnId}:1:0`, turnId, status: 'complete', toolOutput: turnId }]);
  }
});

test('allows the id of a cancelled call to be reused', () => {
  const translator = make();
  turn(translator, 't1', [call('1')], 'cancelled');
  expect(turn(translator, 't2', [call('1', { status: 'completed', ...words('second') })])).toMatchObject([
    { itemId: 't2:1:0', status: 'complete', toolOutput: 'second' },
  ]);
});

test('a permission request under the id of an earlier turn’s call gets its own card', () => {
  const translator = make();
  turn(translator, 't1', [call('1'), change('1', { status: 'completed' })]);
  translator.startTurn({ turnId: 't2' }, 1);
  expect(callsIn(translator.ask({ callId: '1', title: 'rm' }, 2))).toMatchObject([
    { itemId: 't2:1:0', title: 'rm', awaitingPermission: true },
  ]);
});

test('a call id used twice in one turn is two calls', () => {
  const calls = turn(make(), 't', [
    call('1'),
    change('1', { status: 'completed', ...words('first') }),
    call('1'),
    change('1', { status: 'completed', ...words('second') }),
  ]);
  expect(calls).toMatchObject([
    { itemId: 't:1:0', toolOutput: 'first' },
    { itemId: 't:2:0', toolOutput: 'second' },
  ]);
});

test('a repeated end of a call emits nothing', () => {
  const translator = make();
  translator.startTurn({ turnId: 't' }, 1);
  callsAfter(translator, [call('1'), change('1', { status: 'completed', ...words('out') })]);
  expect(callsAfter(translator, [call('1', { status: 'completed', ...words('out') })])).toEqual([]);
});

test.each([
  ['in the same turn', (translator: Translator) => translator],
  [
    'after its turn',
    (translator: Translator) => {
      translator.endTurn({ response: { stopReason: 'end_turn' } }, 9);
      return translator;
    },
  ],
  [
    'in a later turn',
    (translator: Translator) => {
      translator.endTurn({ response: { stopReason: 'end_turn' } }, 9);
      translator.startTurn({ turnId: 't2' }, 10);
      return translator;
    },
  ],
])('a late update %s does not reopen a call that has ended', (_, later) => {
  const translator = make();
  translator.startTurn({ turnId: 't' }, 1);
  callsAfter(translator, [call('1'), change('1', { status: 'completed', ...words('out') })]);
  later(translator);
  const late = [
    change('1', { status: 'in_progress' }),
    change('1', { _meta: { terminal_output_delta: { data: 'more' } } }),
    change('1', { status: 'failed', ...words('other') }),
  ];
  expect(callsAfter(translator, late)).toEqual([]);
  expect(translator.hasOpenCalls()).toBe(false);
});

test('a late update does not reopen a call of a cancelled turn', () => {
  const translator = make();
  turn(translator, 't', [call('1')], 'cancelled');
  expect(callsAfter(translator, [change('1', { status: 'completed', ...words('late') })])).toEqual([]);
  expect(translator.hasOpenCalls()).toBe(false);
});

test('emits output in a code block without the block if the agent also sends it plain', () => {
  const [plain] = turn(make(), 't', [
    call('1'),
    change('1', { status: 'completed', rawOutput: 'one\ntwo', ...words('```console\none\ntwo\n```') }),
  ]);
  expect(plain?.toolOutput).toBe('one\ntwo');
});

test('keeps a code block that is the output itself', () => {
  const markdown = '```sh\nnpm test\n```';
  const calls = turn(make(), 't', [
    call('1'),
    change('1', { status: 'completed', ...words(markdown) }),
    call('2'),
    change('2', { status: 'completed', rawOutput: markdown, ...words(markdown) }),
  ]);
  expect(calls.map(({ toolOutput }) => toolOutput)).toEqual([markdown, markdown]);
});
