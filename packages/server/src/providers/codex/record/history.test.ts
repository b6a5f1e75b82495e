import { expect, test } from 'vitest';
import { findTurn, historyOfTurns } from './history.ts';

const user = (id: string, clientId: string | null, text = 'words') => ({
  type: 'userMessage',
  id,
  clientId,
  content: [{ type: 'text', text }],
});
const turn = (id: string, items: object[], more: object = {}) => ({
  id,
  rootTurnId: id,
  items,
  status: 'completed',
  ...more,
});
const answer = { type: 'agentMessage', id: 'm1', text: 'answer' };

test('CX-2: a turn has the id its message was sent under, otherwise Codex’s own; sources are those of the adapter', () => {
  const history = historyOfTurns('s', 'codex', [
    turn('n1', [user('u1', 'ours'), answer]),
    turn('n2', [user('u2', null)], { status: 'failed', error: { message: 'broke' } }),
  ]);
  expect(history.turns).toMatchObject([
    { turnId: 'ours', state: 'completed' },
    { turnId: 'n2', state: 'failed', ended: { errorCode: 'MODEL_ERROR' } },
  ]);
  expect(history.entries.map(({ upsert, sourceId }) => [upsert.itemId, sourceId])).toEqual([
    ['ours:0:0', 'user:u1'],
    ['ours:1:0', 'message:m1'],
    ['n2:0:0', 'user:u2'],
  ]);
});

test('CX-2: puts a steering message in its turn, and omits what isn’t part of the conversation', () => {
  const { turns, entries } = historyOfTurns('s', 'codex', [
    turn('n1', [user('u1', 'a'), user('u2', 'b')], { status: 'interrupted' }),
    turn('n2', [{ type: 'contextCompaction', id: 'x' }]),
    turn('n3', [user('u3', null)], { rootTurnId: 'n4', status: 'interrupted' }),
    turn('n5', [user('u5', 'running')], { status: 'inProgress' }),
    turn('', [user('u6', null)]),
  ]);
  expect(turns).toMatchObject([{ turnId: 'a', state: 'cancelled' }]);
  expect(entries.map(({ upsert }) => upsert.itemId)).toEqual(['a:0:0', 'a:0:1']);
});

test('CX-1: finds a turn by the id of any message in it, by its own, and by the adapter’s name for it', () => {
  const turns = [turn('n1', [user('u1', 'a'), user('u2', 'b')]), turn('n2', [user('u3', null)])];
  expect(['a', 'b', 'n1', 'replay-u1'].map((id) => findTurn(turns, id))).toEqual(['n1', 'n1', 'n1', 'n1']);
  expect(findTurn(turns, 'replay-u3')).toBe('n2');
  expect(findTurn(turns, 'nobody')).toBeUndefined();
});
