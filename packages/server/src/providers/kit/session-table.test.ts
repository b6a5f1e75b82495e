import { expect, test, vi } from 'vitest';
import { silentLog } from '../../processes/testing/silent-log.ts';
import { createSessionHub } from './session-hub.ts';
import { type SessionEntry, createSessionTable } from './session-table.ts';

const newSession = () => ({
  isAlive: true,
  steer: vi.fn(),
  cancel: vi.fn(async () => {}),
  answer: vi.fn(),
  hasBackgroundWork: () => true,
});

type Session = ReturnType<typeof newSession>;

function setup() {
  const table = createSessionTable<Session, SessionEntry<Session>>({
    agentName: () => 'Agent',
    newEntry: () => ({ hub: createSessionHub(silentLog), isKilled: false }),
    hasCrashed: ({ session }) => !session?.isAlive,
  });
  return { table, calls: table.calls };
}

test('a session with only listeners is not open', async () => {
  const { table, calls } = setup();
  calls.onTurn('a', () => {});
  expect(() => table.open('a')).toThrow(expect.objectContaining({ code: 'SESSION_NOT_FOUND' }));
  await expect(calls.cancelTurn('a')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  expect(calls.isAlive('a')).toBe(false);
  expect(calls.hasBackgroundWork('a')).toBe(false);
});

test('calls reach the open session', async () => {
  const { table, calls } = setup();
  const session = newSession();
  table.entryOf('a').session = session;
  await calls.steer('a', 'Faster');
  await calls.cancelTurn('a');
  await calls.resolvePermission('a', { requestId: 'r', optionId: 'yes' });
  expect(session.steer).toHaveBeenCalledWith('Faster', {});
  expect(session.cancel).toHaveBeenCalledOnce();
  expect(session.answer).toHaveBeenCalledWith({ requestId: 'r', optionId: 'yes' });
  expect(calls.isAlive('a')).toBe(true);
  expect(calls.hasBackgroundWork('a')).toBe(true);
});

test('a killed session rejects messages, but cancelling its turn is harmless', async () => {
  const { table, calls } = setup();
  Object.assign(table.entryOf('a'), { isKilled: true });
  await expect(calls.steer('a', 'Faster')).rejects.toMatchObject({ code: 'SESSION_DEAD' });
  await expect(calls.cancelTurn('a')).resolves.toBeUndefined();
});

test('a crashed session says that the agent is no longer running', async () => {
  const { table, calls } = setup();
  table.entryOf('a').session = { ...newSession(), isAlive: false };
  await expect(calls.steer('a', 'Faster')).rejects.toMatchObject({
    code: 'PROCESS_CRASH',
    message: expect.stringContaining('Agent is no longer running') as string,
  });
});

test('keeps listeners added before the session is opened', () => {
  const { table, calls } = setup();
  const heard = vi.fn();
  calls.onSessionInfo('a', heard);
  table.entryOf('a').hub.learn({ modelId: 'm' });
  expect(heard).toHaveBeenCalledWith({ modelId: 'm' });
});

test('forgets a removed session', () => {
  const { table } = setup();
  table.entryOf('a').session = newSession();
  table.remove('a');
  expect(table.find('a')).toBeUndefined();
  expect(table.entries()).toEqual([]);
});
