import { expect, test } from 'vitest';
import { createReplay } from './replay.ts';

const chunk = (sessionUpdate: string, text: string, messageId?: string): object => ({
  sessionUpdate,
  content: { type: 'text', text },
  ...(messageId !== undefined && { messageId }),
});
const user = (text: string, id?: string): object => chunk('user_message_chunk', text, id);
const agent = (text: string, id?: string): object => chunk('agent_message_chunk', text, id);

function replayOf(updates: readonly object[]) {
  const replay = createReplay({ sessionId: 's', providerId: 'p' });
  for (const raw of updates) replay.update(raw, 7);
  return replay.finish(9);
}

test('TC-4.1b: a replay becomes complete turns with ids from the record, the same at every load', () => {
  const updates = [user('hello', 'u1'), agent('hi', 'm1'), user('again', 'u2'), agent('yes', 'm2')];
  const history = replayOf(updates);
  const events = (turnId: string): object => ({
    started: { type: 'turn_started', turnId, sessionId: 's', modelId: 'unknown', providerId: 'p' },
    ended: { type: 'turn_complete', turnId, sessionId: 's', status: 'completed' },
  });
  expect(history.turns).toEqual([
    { turnId: 'replay-u1', state: 'completed', ...events('replay-u1') },
    { turnId: 'replay-u2', state: 'completed', ...events('replay-u2') },
  ]);
  expect(history.entries).toMatchObject([
    { upsert: { itemId: 'replay-u1:0:0', origin: 'user', content: 'hello', status: 'complete' }, sourceId: 'user:u1' },
    { upsert: { itemId: 'replay-u1:1:0', origin: 'agent', content: 'hi', status: 'complete' }, sourceId: 'message:m1' },
    { upsert: { itemId: 'replay-u2:0:0' } },
    { upsert: { itemId: 'replay-u2:1:0' } },
  ]);
  expect(replayOf(updates)).toEqual(history);
});

test('joins several blocks of one message into one item; without ids it numbers turns', () => {
  const history = replayOf([
    user('look', 'u'),
    user('[@a](file:///a)', 'u'),
    agent('ok'),
    user('next'),
    agent('done'),
    user('more'),
  ]);
  expect(history.entries[0]).toMatchObject({ upsert: { content: 'look\n[@a](file:///a)' } });
  expect(history.turns.map(({ turnId }) => turnId)).toEqual(['replay-u', 'replay-2', 'replay-3']);
});

test('Q9: a call reported finished before its output still gets the output', () => {
  const { entries } = replayOf([
    user('run', 'u'),
    { sessionUpdate: 'tool_call', toolCallId: 'c', kind: 'execute', title: 'ls', status: 'completed' },
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: 'c',
      rawOutput: { exit_code: 0 },
      _meta: { terminal_output_delta: { data: 'a\n' } },
    },
    agent('done', 'm'),
  ]);
  expect(entries[1]).toMatchObject({
    upsert: { type: 'tool_call', status: 'complete', toolOutput: 'a\n', toolOutputIsError: false },
    sourceId: 'call:c',
  });
});

test('an interruption written by the agent in the user’s name is not a message', () => {
  const history = replayOf([user('go', 'u'), agent('so f', 'm'), user('[Request interrupted by user]', 'x')]);
  expect(history.turns).toMatchObject([{ turnId: 'replay-u', state: 'cancelled' }]);
  expect(history.entries.filter(({ upsert }) => upsert.type === 'message' && upsert.origin === 'user')).toHaveLength(1);
});

test('a command the agent ran by itself isn’t part of the next message', () => {
  const command = (name: string, args: string): string =>
    `<command-name>${name}</command-name>\n  <command-message>x</command-message>\n  <command-args>${args}</command-args>`;
  const history = replayOf([
    user(command('/model', 'default')),
    user('<local-command-stdout>Set model</local-command-stdout>'),
    user('hello'),
    agent('hi'),
    user(command('/review', 'the diff')),
    agent('Looks good.'),
  ]);
  expect(history.entries.map(({ upsert }) => 'content' in upsert && upsert.content)).toEqual([
    'hello',
    'hi',
    '/review the diff',
    'Looks good.',
  ]);
  expect(history.turns.map(({ turnId }) => turnId)).toEqual(['replay-1', 'replay-2']);
});

test('replays calls that share an id in several turns in each of them', () => {
  const run = (status: string, text: string): object => ({
    sessionUpdate: 'tool_call',
    toolCallId: '1',
    title: 'ls',
    status,
    content: [{ type: 'content', content: { type: 'text', text } }],
  });
  const { entries } = replayOf([user('a'), run('completed', 'one'), user('b'), run('completed', 'two')]);
  const calls = entries.flatMap(({ upsert }) => (upsert.type === 'tool_call' ? [upsert] : []));
  expect(calls).toMatchObject([
    { turnId: 'replay-1', status: 'complete', toolOutput: 'one' },
    { turnId: 'replay-2', status: 'complete', toolOutput: 'two' },
  ]);
});

test('passes on updates that aren’t history', () => {
  const replay = createReplay({ sessionId: 's', providerId: 'p' });
  expect(replay.update({ sessionUpdate: 'session_info_update', title: 'A title' }, 1)).toEqual({
    emissions: [],
    info: { title: 'A title' },
  });
  expect(replay.finish(2)).toEqual({ turns: [], entries: [] });
});

test('Q9: leaves a warning during the replay out of the record', () => {
  const replay = createReplay({ sessionId: 's', providerId: 'p', notesLackIds: true });
  const updates = [
    user('hello', 'u1'),
    agent('Config warning: bubblewrap'),
    { sessionUpdate: 'notice', title: 'bubblewrap' },
    agent('hi', 'm1'),
  ];
  for (const raw of updates) replay.update(raw, 7);
  expect(replay.finish(9).entries.map(({ upsert }) => 'content' in upsert && upsert.content)).toEqual(['hello', 'hi']);
});
