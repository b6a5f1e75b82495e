import type { Emission } from '@liminal/domain/accumulate/emission';
import { expect, test } from 'vitest';
import { call, change, sort, text, thought, words } from '../testing/updates.ts';
import { createTranslator, type Translator, type TranslatorOptions } from './translate.ts';

const make = (options: Partial<TranslatorOptions> = {}): Translator => {
  const translator = createTranslator({ sessionId: 's', providerId: 'p', ...options });
  translator.startTurn({ turnId: 't' }, 0);
  return translator;
};

/** Feeds updates, ends the turn, and returns the last state of each item. */
function play(translator: Translator, updates: readonly object[], response: object = { stopReason: 'end_turn' }) {
  const emissions: Emission[] = updates.flatMap((raw) => [...translator.update(raw, 1).emissions]);
  emissions.push(...translator.endTurn({ response }, 2).emissions);
  return sort(emissions);
}

test('TC-4.2a: agent_message_chunk becomes accumulated message upserts', () => {
  const { upserts } = play(make(), [text('Hel', 'm'), text('lo', 'm')]);
  expect(upserts).toMatchObject([
    { type: 'message', itemId: 't:1:0', status: 'create', content: 'Hello', origin: 'agent' },
    { status: 'complete', content: 'Hello' },
  ]);
});

test('TC-4.2b: tool_call becomes a create, with its name, kind, input and places', () => {
  const { upserts } = sort(
    make().update(
      call('c', {
        name: 'read',
        title: 'Read a',
        kind: 'read',
        rawInput: { path: 'a' },
        locations: [{ path: '/a', line: 3 }],
      }),
      1,
    ).emissions,
  );
  expect(upserts).toMatchObject([
    {
      type: 'tool_call',
      status: 'create',
      callId: 'c',
      toolName: 'read',
      title: 'Read a',
      toolKind: 'read',
      toolArguments: { path: 'a' },
      locations: [{ path: '/a', line: 3 }],
    },
  ]);
});

test.each([
  ['completed', false],
  ['failed', true],
])('TC-4.2c: tool_call_update %s completes it under the same itemId', (status, toolOutputIsError) => {
  const { upserts } = play(make(), [call('c'), change('c', { status, ...words('out') })]);
  expect(upserts).toMatchObject([
    { itemId: 't:1:0', status: 'create' },
    { itemId: 't:1:0', status: 'complete', toolOutput: 'out', toolOutputIsError },
  ]);
});

test('thought and answer under one message id are two items', () => {
  expect(play(make(), [thought('hm', 'x'), text('yes', 'x')]).items).toMatchObject([
    { type: 'thinking', content: 'hm' },
    { type: 'message', content: 'yes' },
  ]);
});

test('without ids, starts a new message when the kind changes or a call comes between', () => {
  const { items } = play(make(), [thought('a'), text('b'), text('c'), call('k'), text('d')]);
  expect(items.map((item) => (item.type === 'tool_call' ? 'call' : 'content' in item && item.content))).toEqual([
    'a',
    'bc',
    'call',
    'd',
  ]);
});

test('empty chunks and blank lines before the first text create no item', () => {
  expect(
    play(make(), [text('', 'm'), text('\n\n', 'm'), text('\nfirst', 'm'), text('\n\nsecond', 'm')]).items,
  ).toMatchObject([{ content: 'first\n\nsecond' }]);
});

test('MM-4: does not emit an echo of the user’s message again', () => {
  expect(play(make(), [{ ...text('hello', 'u'), sessionUpdate: 'user_message_chunk' }]).items).toEqual([]);
});

test('Q2: a model failure sent as end_turn is a turn_error, and its text is not a message', () => {
  const failing = { sessionUpdate: 'session_info_update', _meta: { codex: { threadStatus: { type: 'systemError' } } } };
  const { items, turns } = play(make({ notesLackIds: true }), [
    text('part', 'm'),
    failing,
    text('429 Too Many Requests\n\n'),
  ]);
  expect(items).toMatchObject([{ content: 'part', status: 'error', errorCode: 'RATE_LIMITED' }]);
  expect(turns).toMatchObject([
    { type: 'turn_error', errorCode: 'RATE_LIMITED', errorMessage: '429 Too Many Requests' },
  ]);
});

test('Q2: a warning without an id is a system note and does not split the answer', () => {
  const { items } = play(make({ notesLackIds: true }), [text('one ', 'm'), text('Warning: slow'), text('two', 'm')]);
  expect(items).toMatchObject([
    { itemId: 't:n1:0', origin: 'system', content: 'Warning: slow' },
    { itemId: 't:1:0', origin: 'agent', content: 'one two' },
  ]);
});

test('Q4: a cancelled turn leaves its open call as it was, and marks nothing complete or error', () => {
  const { items, turns } = play(make(), [text('so far'), call('c')], { stopReason: 'cancelled' });
  expect(items).toMatchObject([{ content: 'so far' }, { type: 'tool_call', status: 'create' }]);
  expect(turns).toMatchObject([{ type: 'turn_complete', status: 'cancelled' }]);
});

test('emits a cancelled text to its end but never completes it', () => {
  expect(play(make(), [text('so far')], { stopReason: 'cancelled' }).items).toMatchObject([
    { content: 'so far', status: 'create' },
  ]);
});

test('after our own cancel the turn is cancelled, however the agent answers', () => {
  for (const end of [
    { response: { stopReason: 'end_turn' } },
    { failure: { code: 'MODEL_ERROR', message: 'aborted' } } as const,
  ]) {
    const translator = make();
    translator.noteCancel();
    expect(sort(translator.endTurn(end, 2).emissions).turns).toMatchObject([{ status: 'cancelled' }]);
  }
});

test('Q6: output of a background command continues after the turn, under the same item', () => {
  const translator = make();
  play(translator, [call('c', { kind: 'execute' })]);
  expect(translator.hasOpenCalls()).toBe(true);
  const late = [
    change('c', { _meta: { terminal_output_delta: { data: 'tick\n' } } }),
    change('c', { status: 'completed' }),
  ];
  const { items } = sort(late.flatMap((raw) => [...translator.update(raw, 5).emissions]));
  expect(items).toMatchObject([{ itemId: 't:1:0', turnId: 't', status: 'complete', toolOutput: 'tick\n' }]);
  expect(translator.hasOpenCalls()).toBe(false);
});

test('Q6: shows text that trails after the turn under it, as its own item', () => {
  const translator = make();
  play(translator, [text('answer', 'm')]);
  const { items } = sort([...translator.update(text('and the tail', 'm'), 5).emissions, ...translator.tick(10_000)]);
  expect(items).toMatchObject([{ itemId: 't:2:0', turnId: 't', content: 'and the tail' }]);
});

test('Q7: a permission request creates a call not seen before, which is completed later', () => {
  const translator = make();
  const asked = translator.ask({ callId: 'c', title: 'ls', kind: 'execute' }, 1);
  const { items } = sort([
    ...asked,
    ...translator.answered('c', true, 2),
    ...translator.update(change('c', { status: 'completed', ...words('x') }), 3).emissions,
  ]);
  expect(items).toMatchObject([
    { itemId: 't:1:0', title: 'ls', status: 'complete', awaitingPermission: false, toolOutput: 'x' },
  ]);
});

test('a permission request never removes details from a known call', () => {
  const translator = make();
  translator.update(call('c', { title: 'Editing files', kind: 'edit', rawInput: { a: 1 } }), 1);
  const { items } = sort(
    translator.ask({ callId: 'c', title: 'Edit files', diffs: [{ path: '/a', oldText: null, newText: 'x' }] }, 2),
  );
  expect(items).toMatchObject([
    {
      title: 'Editing files',
      toolKind: 'edit',
      toolArguments: { a: 1 },
      awaitingPermission: true,
      diffs: [{ path: '/a' }],
    },
  ]);
});

test('null clears a field and a missing one keeps it', () => {
  const translator = make();
  translator.update(call('c', { title: 'a', locations: [{ path: '/a' }], rawInput: { x: 1 }, ...words('old') }), 1);
  const { items } = sort(translator.update(change('c', { content: null, locations: null, rawInput: {} }), 2).emissions);
  expect(items).toMatchObject([{ title: 'a', locations: [], toolOutput: '', toolArguments: { x: 1 } }]);
});

test('emits growing content as an append', () => {
  const translator = make({ maxLatencyMs: 0 });
  translator.update(call('c', words('one\n')), 1);
  const [emission] = translator.update(change('c', words('one\ntwo\n')), 2).emissions;
  expect(emission).toMatchObject({ appended: { appendedFrom: 4, text: 'two\n' } });
});

test('a repeated update emits nothing', () => {
  const translator = make();
  translator.update(call('c', { title: 'a', rawInput: { x: 1 } }), 1);
  expect(translator.update(change('c', { title: 'a', rawInput: { x: 1 } }), 2).emissions).toEqual([]);
});

test('a plan is one item that is replaced, and ends with its turn', () => {
  const plan = (status: string): object => ({
    sessionUpdate: 'plan',
    entries: [{ content: 'a', status, priority: 'high' }],
  });
  const { upserts } = play(make(), [plan('pending'), plan('completed')]);
  expect(upserts).toMatchObject([
    { type: 'plan', itemId: 't:1:0', status: 'create', entries: [{ status: 'pending' }] },
    { itemId: 't:1:0', status: 'update', entries: [{ status: 'completed' }] },
    { itemId: 't:1:0', status: 'complete' },
  ]);
});

test.each([
  ['refusal', /declined/],
  ['max_tokens', /length limit/],
  ['something_new', /something_new/],
])('MM-1: a turn that stopped for %s is completed, with a note', (stopReason, note) => {
  const { items, turns } = play(make(), [], { stopReason });
  expect(items).toMatchObject([{ origin: 'system', content: expect.stringMatching(note) as string }]);
  expect(turns).toMatchObject([{ status: 'completed' }]);
});

test('MM-3: names unknown variants and stop reasons, and shows each kind once', () => {
  const translator = make();
  const first = translator.update({ sessionUpdate: 'hologram', title: 'A cube' }, 1);
  expect(first.unknown).toBe('hologram');
  expect(sort(first.emissions).items).toMatchObject([
    { origin: 'system', content: "The agent sent something this version doesn't support (hologram): A cube" },
  ]);
  expect(translator.update({ sessionUpdate: 'hologram' }, 1)).toEqual({ emissions: [], unknown: 'hologram' });
  expect(translator.endTurn({ response: { stopReason: 'bored' } }, 2).unknown).toBe('stop reason bored');
});

test('MM-2: reports context use, cost and the sum of tokens', () => {
  const translator = make();
  const usage = { sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } };
  expect(translator.update(usage, 1).info).toEqual({ context: { used: 10, size: 100 }, sessionCostUsd: 0.5 });
  const response = { stopReason: 'end_turn', usage: { inputTokens: 3, outputTokens: 1 } };
  const first = translator.endTurn({ response }, 2);
  expect(sort(first.emissions).turns).toMatchObject([
    { usage: { inputTokens: 3, outputTokens: 1 }, costUsd: 0.5, durationMs: 2 },
  ]);
  translator.startTurn({ turnId: 'u' }, 3);
  expect(translator.endTurn({ response }, 4).info).toEqual({ sessionUsage: { inputTokens: 6, outputTokens: 2 } });
});

test("MM-2: the cost of a turn is what it added to the session's cost", () => {
  const translator = make();
  const spent = (amount: number): object => ({ sessionUpdate: 'usage_update', cost: { amount, currency: 'USD' } });
  const end = { response: { stopReason: 'end_turn' } };
  translator.update(spent(0.5), 1);
  translator.endTurn(end, 2);
  translator.startTurn({ turnId: 'u' }, 3);
  expect(translator.update(spent(0.75), 4).info).toEqual({ sessionCostUsd: 0.75 });
  expect(sort(translator.endTurn(end, 5).emissions).turns).toMatchObject([{ costUsd: 0.25 }]);
  translator.startTurn({ turnId: 'v' }, 6);
  expect(sort(translator.endTurn(end, 7).emissions).turns).toMatchObject([{ costUsd: 0 }]);
});

test('an agent that is gone fails the running turn, even one that was being cancelled', () => {
  const translator = make();
  translator.update(text('so far'), 1);
  translator.noteCancel();
  const { items, turns } = sort(translator.close({ code: 'PROCESS_CRASH', message: 'gone' }, 2));
  expect(items).toMatchObject([{ content: 'so far', status: 'error', errorMessage: 'gone' }]);
  expect(turns).toMatchObject([{ type: 'turn_error', errorCode: 'PROCESS_CRASH' }]);
});
