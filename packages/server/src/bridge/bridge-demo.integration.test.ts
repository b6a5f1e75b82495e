import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BridgeMessage } from '@liminal/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAgent } from '../providers/acp/catalogue/built-in-agents.ts';
import { startProviderUnderTest } from '../providers/acp/testing/provider-under-test.ts';
import { bridgeClient, type BridgeClient } from '../testing/bridge-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let demo: ReturnType<typeof startProviderUnderTest>;
let server: TestServer;
let bridge: BridgeClient;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'liminal-bridge-'));
  demo = startProviderUnderTest(demoAgent(), { LIMINAL_DEMO_SPEED: '20' });
  server = await startTestServer({ others: [demo.provider], folder });
  bridge = await bridgeClient(await server.served.listen());
});
afterAll(async () => {
  await bridge.close();
  await server.close();
  await demo.cleanup();
  rmSync(folder, { recursive: true, force: true });
});

const isEnd = (message: BridgeMessage) => message.type === 'system' && message.subtype === 'turn_complete';
const text = (taskId: string) =>
  bridge
    .of(taskId)
    .flatMap((message) => (message.type === 'agent_text' ? [message.text] : []))
    .join('');

describe('BR-1: the demo agent twice', () => {
  it('BR-1: runs two tasks in two processes, each with its own messages and permission requests', async () => {
    const connection = { type: 'acp', payload: { agentId: 'demo', cwd: folder } } as const;
    const answers = await Promise.all(['a', 'b'].map((taskId) => bridge.invoke('agent:connect', taskId, connection)));
    const ids = answers.map((answer) => (answer.success ? answer.sessionId : answer.error));
    expect(new Set(ids).size).toBe(2);
    expect(demo.starts()).toBe(2);

    await Promise.all([bridge.invoke('agent:send', 'a', 'hello'), bridge.invoke('agent:send', 'b', 'ask first')]);
    const asked = await bridge.next('b', ({ type }) => type === 'permission_request');
    if (asked.type !== 'permission_request') throw new Error('not asked');
    const refuse = asked.options.find(({ kind }) => kind === 'reject_once')?.optionId ?? '';
    expect(await bridge.invoke('agent:permission-response', 'b', asked.id, refuse)).toEqual({ success: true });
    await Promise.all([bridge.next('a', isEnd), bridge.next('b', isEnd)]);

    expect(text('a')).toMatch(/\S/);
    expect(bridge.of('a').some(({ type }) => type === 'permission_request')).toBe(false);
    expect(bridge.of('b').map(({ type }) => type)).toEqual(
      expect.arrayContaining(['agent_info', 'tool_call', 'tool_call_update']),
    );
    for (const [index, taskId] of ['a', 'b'].entries()) {
      for (const message of bridge.of(taskId)) expect(message.session_id).toBe(ids[index]);
    }
    const { entries } = (
      await server.call<{ entries: { origin?: string; content?: string }[] }>('GET', `/api/session/${ids[0]}/history`)
    ).body;
    const said = entries.filter(({ origin }) => origin === 'agent').map(({ content }) => content);
    expect(text('a')).toBe(said.join(''));
  });

  it('BR-1: ends only the process of the task that is disconnected', async () => {
    expect(await bridge.invoke('agent:disconnect', 'a')).toEqual({ success: true });
    expect(await demo.processes()).toHaveLength(1);
    expect(await bridge.invoke('agent:get-capabilities', 'b')).toMatchObject({ success: true, connected: true });
  });
});
