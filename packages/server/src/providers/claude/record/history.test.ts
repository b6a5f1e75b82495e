import { TurnRecord, UpsertObject } from '@liminal/contracts';
import { describe, expect, test } from 'vitest';
import { historyOfRows } from './history.ts';
import { meaningOf } from './record-rows.ts';

let clock = 0;
const at = () => new Date(Date.UTC(2026, 0, 1) + (clock += 1000)).toISOString();
const person = (uuid: string, content: unknown, more: object = {}) => ({
  type: 'user',
  uuid,
  timestamp: at(),
  message: { role: 'user', content },
  ...more,
});
const answer = (id: string, block: object, more: object = {}) => ({
  type: 'assistant',
  uuid: `row-${id}`,
  timestamp: at(),
  message: { id, model: 'model-1', content: [block], usage: { input_tokens: 5, output_tokens: 2 } },
  ...more,
});
const words = (text: string) => ({ type: 'text', text });

const shown = (rows: readonly object[]) => {
  const history = historyOfRows('s', rows as never);
  for (const turn of history.turns) TurnRecord.parse(turn);
  return {
    turns: history.turns.map(
      ({ turnId, state, started }) => `${turnId} ${state} ${started?.initiator} ${started?.modelId}`,
    ),
    entries: history.entries.map(({ upsert }) => {
      UpsertObject.parse(upsert);
      const content = 'content' in upsert ? upsert.content : upsert.type === 'tool_call' ? upsert.toolOutput : '';
      return `${upsert.itemId} ${upsert.type === 'message' ? upsert.origin : upsert.type} ${upsert.status} ${content}`;
    }),
    history,
  };
};

describe('a record becomes turns and entries', () => {
  test('a turn has the id of the row that started it, its model, its usage and its times', () => {
    const { turns, entries, history } = shown([
      person('p', 'hello'),
      answer('m', words('hi')),
      answer('m', words('there')),
    ]);
    expect(turns).toEqual(['p completed user model-1']);
    expect(entries).toEqual(['p:0:0 user complete hello', 'p:1:0 agent complete hi', 'p:1:1 agent complete there']);
    expect(history.turns[0]?.ended).toMatchObject({ usage: { inputTokens: 5, outputTokens: 2 }, durationMs: 2000 });
    expect(history.entries.map(({ sourceId }) => sourceId)).toEqual(['p', 'm:0', 'm:1']);
  });

  test("a turn nobody asked for is the agent's, and shows nothing as the user's", () => {
    const { turns, entries } = shown([
      person('w', '<task-notification>done</task-notification>', { origin: { kind: 'task-notification' } }),
      answer('m', words('I woke up')),
    ]);
    expect(turns).toEqual(['w completed agent model-1']);
    expect(entries).toEqual(['w:1:0 agent complete I woke up']);
  });

  test('an interrupted turn is cancelled and its cut answer is not complete', () => {
    const { turns, entries } = shown([
      person('p', 'go'),
      answer('m', words('half'), { isAbortedMidStream: true }),
      person('i', [words('[Request interrupted by user]')]),
    ]);
    expect(turns).toEqual(['p cancelled user model-1']);
    expect(entries).toEqual(['p:0:0 user complete go', 'p:1:0 agent create half']);
  });

  test('a failed turn is failed with its code, unless an answer followed', () => {
    const failure = {
      type: 'assistant',
      uuid: 'f',
      timestamp: at(),
      error: 'rate_limit',
      isApiErrorMessage: true,
      message: { id: 'f', model: '<synthetic>', content: [words('API Error: 429')] },
    };
    const failed = shown([person('p', 'go'), failure]);
    expect(failed.turns).toEqual(['p failed user unknown']);
    expect(failed.history.turns[0]?.ended).toMatchObject({ errorCode: 'RATE_LIMITED', errorMessage: 'API Error: 429' });
    expect(shown([person('p', 'go'), failure, answer('m', words('ok'))]).turns).toEqual(['p completed user model-1']);
  });

  test('a message sent into the turn is in it; images are named', () => {
    const steered = {
      type: 'attachment',
      uuid: 'q',
      timestamp: at(),
      attachment: { type: 'queued_command', commandMode: 'prompt', prompt: 'mind this', source_uuid: 'own' },
    };
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const { entries, history } = shown([person('p', [words('see'), image]), answer('m', words('yes')), steered]);
    expect(entries).toEqual(['p:0:0 user complete see', 'p:1:0 agent complete yes', 'p:0:1 user complete mind this']);
    expect(history.entries[0]?.upsert).toMatchObject({ attachments: [{ mimeType: 'image/png', size: 3 }] });
    expect(history.entries[2]?.sourceId).toBe('own');
  });

  test('"No response requested." after a cut turn is not a message', () => {
    const synthetic = {
      type: 'assistant',
      uuid: 'x',
      timestamp: at(),
      message: { id: 'x', model: '<synthetic>', content: [words('No response requested.')] },
    };
    expect(shown([person('p', 'go'), synthetic]).entries).toEqual(['p:0:0 user complete go']);
  });
});

describe('decision 16: only text the user typed is theirs', () => {
  test.each([
    ['hello', { kind: 'prompt', text: 'hello' }],
    ['<command-name>/model</command-name><command-args>opus</command-args>', { kind: 'prompt', text: '/model opus' }],
    ['<bash-input>ls</bash-input>', { kind: 'prompt', text: '! ls' }],
    ['<local-command-stdout>Set model</local-command-stdout>', { kind: 'note', text: 'Set model' }],
    ['<local-command-stdout></local-command-stdout>', { kind: 'nothing' }],
    ['<local-command-caveat>The command below</local-command-caveat>', { kind: 'nothing' }],
    ['[Request interrupted by user for tool use]', { kind: 'interrupted' }],
    ['<task-notification>x</task-notification>', { kind: 'wake-up' }],
    ['<system-reminder>x</system-reminder>', { kind: 'nothing' }],
  ])('%s', (content, meaning) => {
    expect(meaningOf(person('p', content))).toMatchObject(meaning);
  });

  test.each([
    [{ isMeta: true }],
    [{ isSynthetic: true }],
    [{ isCompactSummary: true }],
    [{ isVisibleInTranscriptOnly: true }],
    [{ isSidechain: true }],
    [{ parent_tool_use_id: 'c' }],
  ])('a row marked %o is ignored', (mark) => {
    expect(meaningOf(person('p', 'not typed', mark))).toEqual({ kind: 'nothing' });
  });

  test('a message from another session or channel wakes the agent', () => {
    expect(meaningOf(person('p', 'hi', { origin: { kind: 'peer' } }))).toEqual({ kind: 'wake-up' });
    expect(meaningOf(person('p', 'hi', { origin: { kind: 'human' } }))).toMatchObject({ kind: 'prompt' });
  });
});
