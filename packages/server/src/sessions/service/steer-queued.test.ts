import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryPage, SendReply } from '@liminal/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProviderError } from '../../providers/provider-error.ts';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const steering = { ...createScriptedProvider().capabilities, steer: true };

let server: TestServer;
afterEach(() => server.close());

/** A session with a running turn and a queued message. */
async function queueOne(steer?: () => Promise<void>, mentions: readonly string[] = []) {
  server = await startTestServer(
    steer && { provider: createScriptedProvider('scripted', { capabilities: steering, steer }) },
  );
  const sessionId = await server.newSession();
  for (const path of mentions) writeFileSync(join(server.folder, path), '');
  const send = async (content: string) =>
    (await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content, mentions })).body.turnId;
  const turnId = await send('go');
  await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
  server.provider.start(sessionId);
  const path = `/api/session/${sessionId}/queue/${await send('also this')}/steer`;
  const queue = async () =>
    (await server.call<{ queue: object[] }>('GET', `/api/session/${sessionId}/queue`)).body.queue;
  return { sessionId, turnId, queue, steerIt: () => server.call('POST', path) };
}

describe('steering a queued message', () => {
  it('sends it into the running turn', async () => {
    const steer = vi.fn(async () => {});
    const { sessionId, turnId, queue, steerIt } = await queueOne(steer);
    expect(await steerIt()).toMatchObject({ status: 202, body: { turnId } });
    expect(steer).toHaveBeenCalledOnce();
    expect(await queue()).toEqual([]);
    const { entries } = (await server.call<HistoryPage>('GET', `/api/session/${sessionId}/history`)).body;
    expect(entries).toMatchObject([{}, { turnId, content: 'also this', origin: 'user' }]);
    expect(await steerIt()).toMatchObject({ status: 409, body: { error: { code: 'TURN_STARTED' } } });
  });

  it.each([
    ['TURN_NOT_FOUND', 202],
    ['PROCESS_CRASH', 502],
  ] as const)('queues it again if the agent did not take it (%s)', async (code, status) => {
    const { queue, steerIt } = await queueOne(async () => {
      throw new ProviderError(code, 'It was just ending.');
    });
    expect((await steerIt()).status).toBe(status);
    expect(await queue()).toMatchObject([{ content: 'also this' }]);
  });

  it('keeps its mentions if the agent did not take it', async () => {
    const { sessionId, steerIt } = await queueOne(async () => {
      throw new ProviderError('TURN_NOT_FOUND', 'It was just ending.');
    }, ['notes.txt']);
    const { turnId } = (await steerIt()).body;
    const path = `/api/session/${sessionId}/turns/${String(turnId)}/message`;
    expect((await server.call('GET', path)).body).toMatchObject({ content: 'also this', mentions: ['notes.txt'] });
  });

  it('is refused if the agent can’t', async () => {
    const { queue, steerIt } = await queueOne();
    expect(await steerIt()).toMatchObject({ status: 409, body: { error: { code: 'NOT_SUPPORTED' } } });
    expect(await queue()).toHaveLength(1);
  });
});
