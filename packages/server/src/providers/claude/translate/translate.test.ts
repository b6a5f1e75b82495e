import { describe, expect, test } from 'vitest';
import { say, startTranslation } from '../testing/native-messages.ts';

const bash = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} });
const words = (text: string) => ({ type: 'text', text });

/** A turn `t` that has started. */
function begin() {
  const session = startTranslation();
  session.send('t');
  session.hear(say.init(['t']));
  return session;
}

describe('blocks become items', () => {
  test('TC-3.3a: a text block becomes create, update, complete with the accumulated content', () => {
    const session = begin();
    session.hear(
      say.start('m'),
      say.open(0, words('')),
      say.text(0, 'one two three four five six seven eight nine ten eleven '),
    );
    session.hear(say.text(0, 'x '.repeat(30)), say.text(0, 'end'), say.whole('m', words('ignored')), say.close(0));
    const states = session.upserts().filter((upsert) => upsert.itemId === 't:1:0');
    expect(states.map(({ status }) => status)).toEqual(['create', 'update', 'complete']);
    expect(states.at(-1)).toMatchObject({
      content: `one two three four five six seven eight nine ten eleven ${'x '.repeat(30)}end`,
    });
  });

  test('TC-3.3b: a tool_use block is created at its start and has its arguments at its stop', () => {
    const session = begin();
    session.hear(
      say.start('m'),
      say.open(0, bash('c')),
      say.json(0, '{"command":'),
      say.json(0, '"ls"}'),
      say.close(0),
    );
    expect(session.upserts().slice(1)).toMatchObject([
      { status: 'create', toolName: 'Bash', toolArguments: {}, callId: 'c', toolKind: 'execute' },
      { status: 'update', toolArguments: { command: 'ls' }, title: 'Bash: ls' },
    ]);
  });

  test('TC-3.3b: arguments that do not parse become {} and the item continues', () => {
    const session = begin();
    session.hear(
      say.start('m'),
      say.open(0, bash('c')),
      say.json(0, '{"command": "l'),
      say.close(0),
      say.toolResult('c', 'out'),
    );
    expect(session.upserts().at(-1)).toMatchObject({ status: 'complete', toolArguments: {}, toolOutput: 'out' });
  });

  test('TC-3.3c: a tool result completes its call under the same itemId, whatever the order', () => {
    const session = begin();
    session.hear(say.start('m'), say.open(0, bash('a')), say.close(0), say.open(1, bash('b')), say.close(1));
    session.hear(
      say.toolResult('b', 'second', { is_error: true }),
      say.toolResult('a', [words('first'), { type: 'image', source: { media_type: 'image/png' } }]),
    );
    expect(session.upserts().slice(-2)).toMatchObject([
      { itemId: 't:1:1', status: 'complete', toolOutput: 'second', toolOutputIsError: true },
      { itemId: 't:1:0', status: 'complete', toolOutput: 'first\n[image image/png]', toolOutputIsError: false },
    ]);
  });

  test('TC-3.3d: thinking streams, and also comes from a complete message; a bare signature shows nothing', () => {
    const session = begin();
    session.hear(say.start('m'), say.open(0, { type: 'thinking', thinking: '' }), say.thought(0, 'hm'), say.close(0));
    session.hear(say.open(1, { type: 'thinking', thinking: '' }), say.close(1), say.delta('end_turn'), say.stop());
    session.hear(
      say.whole('n', { type: 'thinking', thinking: 'well' }),
      say.whole('n', { type: 'redacted_thinking', data: '…' }),
    );
    expect(session.items()).toEqual(['t:1:0 thinking complete hm', 't:2:0 thinking complete well']);
  });

  test('TC-3.3e: interleaved blocks keep distinct itemIds, even across answers and subagents', () => {
    const session = begin();
    session.hear(
      say.start('m'),
      say.open(0, words('')),
      say.open(1, bash('c')),
      say.text(0, 'a'),
      say.json(1, '{}'),
      say.close(1),
      say.text(0, 'b'),
    );
    session.hear(
      say.whole('inner', words('inside'), { parent_tool_use_id: 'c' }),
      say.close(0),
      say.delta('tool_use'),
      say.stop(),
    );
    session.hear(say.whole('n', words('after')));
    expect(session.items()).toEqual([
      't:1:1 tool_call update',
      't:2:0 message complete inside',
      't:1:0 message complete ab',
      't:3:0 message complete after',
    ]);
    expect(session.upserts().find((upsert) => upsert.itemId === 't:2:0')).toMatchObject({ parentCallId: 'c' });
  });

  test('TC-3.3g: a result for an unknown call is shown as a completed call under the next ordinal', () => {
    const session = begin();
    session.hear(say.start('m'), say.toolResult('nobody', 'out'), say.toolResult('nobody', 'again'));
    expect(session.upserts().slice(1)).toMatchObject([
      { itemId: 't:2:0', status: 'complete', toolName: 'unknown', callId: 'nobody', toolOutput: 'out' },
    ]);
  });

  test('a call keeps its turn when its result comes in a later one', () => {
    const session = begin();
    session.hear(say.start('m'), say.open(0, bash('c')), say.close(0), say.result());
    session.send('u');
    session.hear(say.init(['u']), say.toolResult('c', 'late'));
    expect(session.upserts().at(-1)).toMatchObject({
      itemId: 't:1:0',
      turnId: 't',
      status: 'complete',
      toolOutput: 'late',
    });
  });

  test("a subagent's output after its turn still belongs to its call", () => {
    const session = begin();
    session.hear(
      say.start('m'),
      say.open(0, bash('c')),
      say.close(0),
      say.result(),
      say.whole('inner', words('late'), { parent_tool_use_id: 'c' }),
    );
    expect(session.upserts().at(-1)).toMatchObject({
      itemId: 't:2:0',
      turnId: 't',
      status: 'complete',
      content: 'late',
      parentCallId: 'c',
    });
    expect(session.life()).toEqual(['t started', 't completed']);
  });

  test('a list of tasks becomes one plan of the turn, changed in place', () => {
    const session = begin();
    const todo = (status: string) => ({
      type: 'tool_use',
      id: `c-${status}`,
      name: 'TodoWrite',
      input: { todos: [{ content: 'step', status }] },
    });
    session.hear(
      say.whole('m', todo('pending')),
      say.toolResult('c-pending', 'ok'),
      say.whole('n', todo('completed')),
      say.result(),
    );
    const plans = session.upserts().filter((upsert) => upsert.type === 'plan');
    expect(plans.map(({ itemId, status }) => `${itemId} ${status}`)).toEqual([
      't:1:0 create',
      't:1:0 update',
      't:1:0 complete',
    ]);
    expect(plans.at(-1)).toMatchObject({ entries: [{ content: 'step', status: 'completed' }] });
    expect(session.upserts().some((upsert) => upsert.type === 'tool_call')).toBe(false);
  });

  test('an edit shows what it changes, and a written file its earlier content once that is known', () => {
    const session = begin();
    const write = { type: 'tool_use', id: 'c', name: 'Write', input: { file_path: '/a', content: 'new' } };
    session.hear(say.whole('m', write));
    expect(session.upserts().at(-1)).toMatchObject({
      diffs: [{ path: '/a', oldText: null, newText: 'new' }],
      locations: [{ path: '/a' }],
    });
    session.hear({
      ...say.toolResult('c', 'ok'),
      tool_use_result: { type: 'update', filePath: '/a', content: 'new', originalFile: 'old' },
    });
    expect(session.upserts().at(-1)).toMatchObject({
      status: 'complete',
      diffs: [{ path: '/a', oldText: 'old\n', newText: 'new\n', oldStart: 1, newStart: 1 }],
    });
  });
});

describe('unexpected messages', () => {
  test('MM-3: unknown kinds are counted, reported once, and break nothing', () => {
    const session = begin();
    session.hear(
      { type: 'novelty' },
      { type: 'novelty' },
      say.system('novelty'),
      say.stream({ type: 'novelty' }),
      'not even an object',
      null,
    );
    session.hear(
      say.start('m'),
      say.open(0, { type: 'novelty' }),
      say.stream({ type: 'content_block_delta', index: 0, delta: { type: 'novelty' } }),
    );
    session.hear(say.whole('m', { type: 'novelty' }), say.result());
    expect(session.unknown).toEqual([
      'novelty',
      'system novelty',
      'a message without a type',
      'delta novelty',
      'content block novelty',
    ]);
    expect(session.translator.unknownKinds().get('novelty')).toBe(2);
    expect(session.life()).toEqual(['t started', 't completed']);
  });

  test('MM-4: pings, signatures and replayed messages are ignored', () => {
    const session = begin();
    const before = session.emissions.length;
    session.hear(
      say.stream({ type: 'ping' }),
      say.replay('t'),
      { type: 'keep_alive' },
      say.start('m'),
      say.open(0, words('')),
    );
    session.hear(
      say.stream({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'x' } }),
    );
    expect(session.emissions.slice(before)).toEqual([]);
    expect(session.unknown).toEqual([]);
  });

  test('what Claude Code writes in the user’s name is never shown as theirs', () => {
    const session = begin();
    const asPerson = (content: unknown) => ({ type: 'user', message: { role: 'user', content }, isSynthetic: true });
    session.hear(
      asPerson('Output token limit hit.'),
      asPerson([words('[Request interrupted by user]')]),
      asPerson('<task-notification>…'),
    );
    expect(session.items()).toEqual([]);
  });

  test('PROTOCOL_ERROR: a delta for a block that was never opened, with no answer open, fails the turn once', () => {
    const session = begin();
    session.hear(say.text(0, 'lost'), say.text(0, 'more'), say.start('m'), say.result());
    expect(session.life()).toEqual(['t started', 't PROTOCOL_ERROR']);
    session.send('u');
    session.hear(say.init(['u']), say.whole('n', words('fine')), say.result());
    expect(session.life().slice(2)).toEqual(['u started', 'u completed']);
  });

  test('PROTOCOL_ERROR: a message answered in a turn that cannot be shown fails too, and nothing waits for it', () => {
    const session = begin();
    session.hear(say.text(0, 'lost'));
    session.send('u');
    session.hear(say.whole('n', words('unseen')), say.result({ user_message_uuids: ['t', 'u'] }));
    expect(session.life()).toEqual(['t started', 't PROTOCOL_ERROR', 'u started', 'u PROTOCOL_ERROR']);
  });

  test('inside an open answer, the first text replaces a lost block start', () => {
    const session = begin();
    session.hear(say.start('m'), say.text(3, 'found'), say.close(3), say.delta('end_turn'), say.stop());
    expect(session.items()).toEqual(['t:1:3 message complete found']);
  });
});
