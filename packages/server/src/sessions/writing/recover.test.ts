import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import type { TurnRow } from '../../store/rows.ts';
import { itemRow, sessionRow, turnRow } from '../../store/testing/sample-rows.ts';
import { recoverTurns } from './recover.ts';

const now = () => '2026-02-02T00:00:00.000Z';
const images = [{ mimeType: 'image/png' as const, data: 'aGVsbG8=' }];

async function recovered(row: Partial<TurnRow>, arrived: boolean | null, items: Parameters<typeof itemRow>[] = []) {
  const store = createMemoryStore();
  await store.write([
    { type: 'put-session', row: sessionRow('s') },
    { type: 'put-turn', row: turnRow('t', { position: 0, images, startedAt: now(), ...row }) },
    ...items.map((item) => ({ type: 'put-item', row: itemRow(...item) }) as const),
  ]);
  await recoverTurns({ store, now, wasReceived: async () => arrived });
  return { store, turn: store.turn('s', 't') };
}

describe('a message that was being sent when the server died', () => {
  it('waits again if it did not arrive, and is unknown if nobody can tell; its images are kept for another try', async () => {
    expect((await recovered({ state: 'sending' }, false)).turn).toMatchObject({
      state: 'queued',
      position: null,
      images,
    });
    expect((await recovered({ state: 'sending' }, null)).turn).toMatchObject({
      state: 'unknown',
      position: null,
      images,
    });
  });

  it('waits again if its agent was still starting, whatever a record may say', async () => {
    expect((await recovered({ state: 'sending', awaitsAgent: true }, null)).turn).toMatchObject({
      state: 'queued',
      position: null,
      awaitsAgent: false,
      images,
    });
  });

  it.each([
    ['the agent’s record says so', true, []],
    ['the agent had answered', null, [['t:1:0', 1] as [string, number]]],
  ] as const)(
    'has arrived when %s: the turn failed, and the user’s own message precedes the answer',
    async (_name, arrived, items) => {
      const { store, turn } = await recovered(
        { state: 'sending' },
        arrived,
        items.map((item) => [...item]),
      );
      expect(turn).toMatchObject({
        state: 'failed',
        images: [],
        ended: { type: 'turn_error', errorCode: 'PROCESS_CRASH' },
      });
      const [own] = store.itemsOfTurn('s', 't');
      expect(own).toMatchObject({
        itemId: 't:0:0',
        order: 0,
        body: { origin: 'user', content: 't', attachments: [{ mimeType: 'image/png' }] },
      });
      expect(store.session('s')?.lastError).toMatchObject({
        code: 'PROCESS_CRASH',
        message: expect.stringContaining('may be missing') as string,
      });
    },
  );
});

describe('a turn that was running when the server died', () => {
  it('failed, with its text kept; finished items stay as they ended', async () => {
    const done = itemRow('t:1:0', 1, 'done');
    const open = itemRow('t:2:0', 2, 'half a sen');
    const store = createMemoryStore();
    await store.write([
      { type: 'put-session', row: sessionRow('s') },
      { type: 'put-turn', row: turnRow('t', { position: 0, state: 'running' }) },
      { type: 'put-item', row: done },
      { type: 'put-item', row: { ...open, body: { ...open.body, status: 'update' } } },
    ]);
    await recoverTurns({ store, now, wasReceived: async () => null });
    expect(store.turn('s', 't')).toMatchObject({ state: 'failed', ended: { errorCode: 'PROCESS_CRASH' } });
    expect(store.item('s', 't:1:0')?.body).toEqual(done.body);
    expect(store.item('s', 't:2:0')?.body).toMatchObject({
      status: 'error',
      errorCode: 'PROCESS_CRASH',
      content: 'half a sen',
    });
  });

  it('leaves waiting messages alone', async () => {
    expect((await recovered({ state: 'queued', position: null, startedAt: null }, null)).turn).toMatchObject({
      state: 'queued',
      images,
    });
  });
});

describe('a request that was open when the server died', () => {
  it('PM-4: is recorded as ended, once', async () => {
    const store = createMemoryStore();
    const row = { sessionId: 's', requestId: 'r', turnId: 't', title: 'rm -rf build', toolName: 'Bash' };
    await store.write([
      { type: 'put-session', row: sessionRow('s') },
      { type: 'put-open-request', row },
    ]);
    const recover = () => recoverTurns({ store, now, wasReceived: async () => null });
    await recover();
    await recover();
    const reason = 'Liminal Builder stopped before it was answered.';
    expect(store.decisions('s')).toEqual([{ ...row, outcome: 'ended', by: 'server', at: now(), reason }]);
  });
});
