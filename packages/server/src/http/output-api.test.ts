import type { HistoryPage, ToolCallUpsert } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const toolOutput = `first ${'x'.repeat(10_000_000)} last`;

/** A session with one call that has this output. */
async function makeCall(status: ToolCallUpsert['status'] = 'complete') {
  const id = await server.newSession();
  await server.call('POST', `/api/session/${id}/send`, { content: 'go' });
  await vi.waitFor(() => expect(server.provider.sent).toHaveLength(1));
  server.provider.start(id);
  const turnId = server.provider.sent[0]?.options?.turnId ?? '';
  const when = '2026-01-01T00:00:00.000Z';
  server.provider.upsert(id, {
    type: 'tool_call',
    turnId,
    sessionId: id,
    itemId: `${turnId}:1:0`,
    sourceTimestamp: when,
    emittedAt: when,
    status,
    toolName: 'Bash',
    toolArguments: {},
    callId: 'c1',
    toolOutput,
  });
  return {
    isWritten: () => server.store.item(id, `${turnId}:1:0`) !== undefined,
    history: async () => (await server.call<HistoryPage>('GET', `/api/session/${id}/history`)).body,
    output: () => server.call<string>('GET', `/api/session/${id}/items/${turnId}:1:0/output`),
  };
}
const callIn = ({ entries }: HistoryPage) => entries.find((entry) => entry.type === 'tool_call');
const removeOutputs = () => server.store.tidy({ outputsBefore: '9999-01-01T00:00:00.000Z', decisionsBefore: null });

describe('a very long output', () => {
  it('is sent as its beginning and end, and whole on request', async () => {
    const { history, output } = await makeCall();
    const page = await history();
    expect(callIn(page)).toMatchObject({ toolOutputLength: toolOutput.length });
    expect(JSON.stringify(page).length).toBeLessThan(100_000);
    await vi.waitFor(async () => expect((await output()).body === toolOutput).toBe(true));
  });

  it('is reported as gone when it is no longer kept, and its shortened form stays in the history', async () => {
    const { history, isWritten, output } = await makeCall();
    await vi.waitFor(() => expect(isWritten()).toBe(true));
    const before = await history();
    expect(await removeOutputs()).toMatchObject({ outputs: 1 });
    const { status, body } = await output();
    expect([status, body]).toEqual([
      404,
      { error: { code: 'ITEM_NOT_FOUND', message: 'The full output is no longer stored.' } },
    ]);
    expect(callIn(await history())).toEqual(callIn(before));
  });

  it('is returned as far as it exists while the call is running', async () => {
    const { history, isWritten, output } = await makeCall('update');
    await vi.waitFor(() => expect(isWritten()).toBe(true));
    const { status, body } = await output();
    const call = callIn(await history());
    expect([status, body]).toEqual([200, call?.type === 'tool_call' ? call.toolOutput : undefined]);
  });
});
