import type { TurnRecord, UpsertObject } from '@liminal/contracts';
import { describe, expect, test } from 'vitest';
import { reshapes, rowsOfTurn } from './rows-of-turn.ts';
import { message, plan, thinking, toolCall, turnComplete } from './testing/messages.ts';

const running: TurnRecord = { turnId: 't1', state: 'running' };
const cancelled: TurnRecord = { turnId: 't1', state: 'cancelled', ended: turnComplete('t1', 'cancelled') };
const read = (itemId: string, fields = {}) => toolCall(itemId, { toolKind: 'read', ...fields });
const search = (itemId: string, fields = {}) => toolCall(itemId, { toolKind: 'search', ...fields });

/** Rows in short form: kind and key. */
const short = (items: readonly UpsertObject[], turn: TurnRecord = running) =>
  rowsOfTurn(turn, items).map((row) => `${row.kind} ${row.key}`);

test('creates one row per item, by its type', () => {
  const items = [
    message('a', { origin: 'user' }),
    thinking('b'),
    message('c', { origin: 'system' }),
    plan('d'),
    toolCall('e', { toolKind: 'execute' }),
    message('f'),
  ];
  expect(short(items)).toEqual(['user a', 'thinking b', 'note c', 'plan d', 'tool e', 'text f']);
});

test('starts with a notice if the agent started the turn by itself', () => {
  const started = { type: 'turn_started', turnId: 't1', sessionId: 's', modelId: 'm', providerId: 'p' } as const;
  const byAgent: TurnRecord = { ...running, started: { ...started, initiator: 'agent' } };
  expect(short([message('a')], byAgent)).toEqual(['turn-start t1:start', 'text a']);
  expect(short([message('a')], { ...running, started })).toEqual(['text a']);
  expect(short([], byAgent)).toEqual([]);
});

test('leaves out the line an agent prints at every start', () => {
  const ready = 'Claude Code 2.1.0 is ready: model opus, folder /p.';
  expect(short([message('a', { origin: 'system', content: ready }), message('b', { content: ready })])).toEqual([
    'text b',
  ]);
});

describe('reads and searches', () => {
  test('collapse into one row with a count if they are consecutive', () => {
    const rows = rowsOfTurn(running, [read('a'), search('b'), read('c'), message('d'), read('e')]);
    expect(rows).toMatchObject([
      { kind: 'group', key: 'group:a', itemIds: ['a', 'b', 'c'], reads: 2, searches: 1 },
      { kind: 'text', key: 'd' },
      { kind: 'tool', key: 'e' },
    ]);
  });

  test('stay separate while running, and after they failed or were stopped', () => {
    expect(short([read('a'), read('b'), read('c', { status: 'update' })])).toEqual(['group group:a', 'tool c']);
    expect(short([read('a'), read('b', { toolOutputIsError: true }), read('c')])).toEqual([
      'tool a',
      'tool b',
      'tool c',
    ]);
  });

  test('collapse across hidden items between them', () => {
    const hidden = message('x', { status: 'error', errorCode: 'SUPERSEDED' });
    expect(short([read('a'), hidden, read('b')])).toEqual(['group group:a']);
  });
});

describe('hidden items', () => {
  test('include items that a retry replaced', () => {
    expect(short([message('a', { status: 'error', errorCode: 'SUPERSEDED' }), message('b')])).toEqual(['text b']);
  });

  test('include a text that ended empty, but not one that may still grow or has an image', () => {
    expect(short([message('a', { content: '' })])).toEqual([]);
    expect(short([message('a', { content: '', status: 'create' })])).toEqual(['text a']);
    expect(short([message('a', { content: '', status: 'create' })], cancelled)).toEqual(['turn-end t1:end']);
    const attachments = [{ mimeType: 'image/png', size: 1 }];
    expect(short([message('a', { content: '', origin: 'user', attachments })])).toEqual(['user a']);
  });
});

test('shows open items of an ended turn as stopped', () => {
  const items = [
    message('a'),
    message('b', { status: 'error', errorCode: 'MODEL_ERROR' }),
    toolCall('c', { toolOutputIsError: true }),
    toolCall('d', { status: 'update' }),
  ];
  const states = (turn: TurnRecord) => rowsOfTurn(turn, items).flatMap((row) => ('state' in row ? row.state : []));
  expect(states(running)).toEqual(['done', 'failed', 'failed', 'open']);
  expect(states(cancelled)).toEqual(['done', 'failed', 'failed', 'stopped']);
});

test('shows a call the user refused as refused, neither failed nor stopped', () => {
  const items = [
    toolCall('a', { refused: true, toolOutputIsError: true }),
    toolCall('b', { refused: true, status: 'update' }),
    toolCall('c', { toolOutputIsError: true, toolOutput: 'User rejected tool use' }),
    toolCall('d', { refused: true }),
  ];
  const states = (turn: TurnRecord) => rowsOfTurn(turn, items).flatMap((row) => ('state' in row ? row.state : []));
  expect(states(running)).toEqual(['refused', 'open', 'refused', 'done']);
  expect(states(cancelled)).toEqual(['refused', 'refused', 'refused', 'done']);
});

describe('subagents', () => {
  test('are shown under their call, collapsed', () => {
    const items = [
      toolCall('task', { callId: 'c1' }),
      read('a', { parentCallId: 'c1' }),
      read('b', { parentCallId: 'c1' }),
      message('between'),
      message('c', { parentCallId: 'c1' }),
    ];
    expect(rowsOfTurn(running, items)).toMatchObject([
      {
        kind: 'tool',
        key: 'task',
        children: [
          { kind: 'group', itemIds: ['a', 'b'] },
          { kind: 'text', key: 'c' },
        ],
      },
      { kind: 'text', key: 'between' },
    ]);
  });

  test('never lose an item if its call is missing, comes later, or is the item itself', () => {
    expect(short([message('a', { parentCallId: 'elsewhere' })])).toEqual(['text a']);
    expect(short([message('a', { parentCallId: 'c1' }), toolCall('b', { callId: 'c1' })])).toEqual([
      'text a',
      'tool b',
    ]);
    expect(short([toolCall('a', { callId: 'c1', parentCallId: 'c1' })])).toEqual(['tool a']);
  });
});

describe('reshapes', () => {
  const call = toolCall('a', { status: 'update', toolKind: 'execute', diffs: [] });

  test('is false for growing text', () => {
    const open = message('a', { status: 'create' });
    expect(reshapes(open, { ...open, status: 'update', content: 'text and more' })).toBe(false);
    expect(reshapes({ ...call, toolOutput: 'a' }, { ...call, toolOutput: 'ab' })).toBe(false);
  });

  test('is true for an end, the first text, an error and other fields that rows depend on', () => {
    const open = message('a', { status: 'update' });
    expect(reshapes(open, { ...open, status: 'complete' })).toBe(true);
    expect(reshapes({ ...open, content: '' }, open)).toBe(true);
    expect(reshapes(open, { ...open, errorCode: 'SUPERSEDED' })).toBe(true);
    expect(reshapes(call, { ...call, toolKind: 'read' })).toBe(true);
    expect(reshapes(call, { ...call, diffs: [] })).toBe(true);
  });

  test('is true for a refusal, a failure and another parent call', () => {
    expect(reshapes(call, { ...call, refused: true })).toBe(true);
    expect(reshapes(call, { ...call, toolOutputIsError: true })).toBe(true);
    expect(reshapes(call, { ...call, callId: 'another' })).toBe(true);
    expect(reshapes(call, { ...call, parentCallId: 'c1' })).toBe(true);
  });
});
