import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { BridgeConnection, BridgeMessage } from '@liminal/contracts';
import { type AgentHome, claudeHome, codexHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel, type StandInModel } from '@liminal/stand-ins/model-server';
import { type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AgentBridge, createAgentBridge } from './agent-bridge.ts';

// A channel host with the typed client, over a real socket, with real agents. Only the model is scripted.
const patience = { timeout: 25_000, interval: 20 };
const apiKey = 'sk-canary-of-the-host';
const project = projectFolder();
let model: StandInModel;
let homes: { claude: AgentHome; codex: AgentHome };
let program: Program;
let socket: WebSocket;
let bridge: AgentBridge;
const messages: { taskId: string; message: BridgeMessage }[] = [];

beforeAll(async () => {
  model = await startStandInModel();
  homes = { claude: claudeHome(model), codex: codexHome(model, { mode: 'read-only' }) };
  program = startProgram({ env: homes.claude.env });
  const { port, token } = await program.ready;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const { projectId } = (await post('/api/projects', { dir: project.dir })) as { projectId: string };
  await post(`/api/projects/${projectId}/trust`, { trusted: true });
  // Node's own socket accepts headers. A page doesn't need them, because it has a cookie.
  const NodeSocket = WebSocket as unknown as new (url: string, options: object) => WebSocket;
  socket = new NodeSocket(`ws://127.0.0.1:${port}/ws`, { headers });
  bridge = createAgentBridge(socket);
  bridge.onMessage((message, taskId) => messages.push({ taskId, message }));
});
afterAll(async () => {
  socket.close();
  await program.stop();
  await model.close();
  for (const folder of [project, ...Object.values(homes)]) folder.cleanup();
});

const of = (taskId: string) => messages.filter((each) => each.taskId === taskId).map(({ message }) => message);
const textOf = (taskId: string): string =>
  of(taskId)
    .flatMap((message) => (message.type === 'agent_text' ? [message.text] : []))
    .join('');
const ends = (taskId: string) =>
  of(taskId).filter((message) => message.type === 'system' && message.subtype === 'turn_complete');
const asked = (taskId: string) =>
  vi.waitFor(() => {
    const request = of(taskId).findLast((message) => message.type === 'permission_request');
    if (request?.type !== 'permission_request') throw new Error(`${taskId} has asked nothing`);
    return request;
  }, patience);
const made = (file: string): boolean => existsSync(join(project.dir, file));

describe('BR-1: two real agents at once, by task', () => {
  const connections = (): Record<string, BridgeConnection> => ({
    claude: { type: 'claude-sdk', payload: { apiKey, cwd: project.dir } },
    codex: {
      type: 'acp',
      payload: {
        command: process.execPath,
        args: [createRequire(import.meta.url).resolve('@agentclientprotocol/codex-acp/dist/index.js')],
        cwd: project.dir,
        env: { ...homes.codex.env },
      },
    },
  });

  it('BR-1: connects both, each with its own session', async () => {
    const answers = await Promise.all(
      Object.entries(connections()).map(([taskId, connection]) => bridge.invoke('agent:connect', taskId, connection)),
    );
    expect(answers).toMatchObject([{ success: true }, { success: true }]);
    expect(new Set(answers.map((answer) => (answer.success ? answer.sessionId : ''))).size).toBe(2);
  });

  it('BR-1: passes messages, requests and answers of both, each under its own task', async () => {
    await Promise.all([
      bridge.invoke('agent:send', 'claude', '@write by-claude.txt|hello\n@text words of claude'),
      bridge.invoke('agent:send', 'codex', '@shell! touch by-codex\n@text words of codex'),
    ]);
    const [claude, codex] = await Promise.all([asked('claude'), asked('codex')]);
    // One task's request doesn't exist in the other.
    expect(await bridge.invoke('agent:permission-response', 'codex', claude.id, 'allow')).toMatchObject({
      success: false,
      code: 'PERMISSION_NOT_FOUND',
    });
    expect([made('by-claude.txt'), made('by-codex')]).toEqual([false, false]);
    expect(await bridge.invoke('agent:permission-response', 'claude', claude.id, 'allow')).toEqual({ success: true });
    expect(await bridge.invoke('agent:permission-response', 'codex', codex.id, 'allow_once')).toEqual({
      success: true,
    });
    await vi.waitFor(() => expect([ends('claude').length, ends('codex').length]).toEqual([1, 1]), patience);
    expect([textOf('claude'), textOf('codex')]).toEqual(['words of claude', 'words of codex']);
    expect([made('by-claude.txt'), made('by-codex')]).toEqual([true, true]);
  });

  it('BR-1: stops one and leaves the other running', async () => {
    const before = textOf('claude');
    await bridge.invoke('agent:send', 'claude', '@slow 2000 50');
    await bridge.invoke('agent:send', 'codex', '@slow 20 50');
    await vi.waitFor(() => expect(textOf('claude').length).toBeGreaterThan(before.length), patience);
    expect(await bridge.invoke('agent:stop', 'claude')).toEqual({ success: true });
    await vi.waitFor(() => expect(ends('claude').at(-1)).toMatchObject({ status: 'cancelled' }), patience);
    await vi.waitFor(() => expect(ends('codex')[1]).toMatchObject({ status: 'completed' }), patience);
    expect(textOf('codex')).toContain('w20');
  });

  it('BR-1: reports each agent’s own capabilities and models', async () => {
    const claude = await bridge.invoke('agent:get-capabilities', 'claude');
    const codex = await bridge.invoke('agent:get-capabilities', 'codex');
    expect([claude, codex]).toMatchObject([
      { success: true, connected: true },
      { success: true, connected: true },
    ]);
    expect(await bridge.invoke('agent:set-model', 'codex', 'no-such-model')).toMatchObject({ success: false });
  });

  it('BR-1: neither stores nor logs a key, and ends the agent with its task', async () => {
    expect(await bridge.invoke('agent:disconnect', 'claude')).toEqual({ success: true });
    expect(await bridge.invoke('agent:send', 'claude', 'hi')).toMatchObject({ success: false });
    const files = globSync('**/*', { cwd: program.dataDir, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name)).includes(apiKey), name).toBe(false);
    expect([program.stderr(), program.stdout(), JSON.stringify(messages)].join('')).not.toContain(apiKey);
  });
});
