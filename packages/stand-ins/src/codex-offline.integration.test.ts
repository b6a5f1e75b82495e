import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codexHome, projectFolder } from './agent-homes.ts';
import type { AgentHome, TemporaryFolder } from './agent-homes.ts';
import { startStandInModel } from './model-server.ts';
import type { StandInModel } from './model-server.ts';
import { startJsonLinesAgent } from './testing/json-lines-agent.ts';
import type { JsonLinesAgent } from './testing/json-lines-agent.ts';
import { asArray, asRecord, asText } from './wire/read-body.ts';

// The real codex-acp and the real Codex behind it: only the model is ours.
const adapter = fileURLToPath(import.meta.resolve('@agentclientprotocol/codex-acp'));
let model: StandInModel;
let home: AgentHome;
let project: TemporaryFolder;
let agent: JsonLinesAgent;
let sessionId: unknown;
const asked: string[] = [];

function allow(method: string, params: Record<string, unknown>): unknown {
  asked.push(method);
  const [first] = asArray(params['options']);
  return { outcome: { outcome: 'selected', optionId: asRecord(first)['optionId'] } };
}

beforeAll(async () => {
  model = await startStandInModel();
  home = codexHome(model);
  project = projectFolder();
  agent = startJsonLinesAgent(adapter, { env: home.env, cwd: project.dir, answer: allow });
  await agent.request('initialize', {
    protocolVersion: 1,
    clientInfo: { name: 'stand-ins', version: '0' },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  ({ sessionId } = await agent.request('session/new', { cwd: project.dir, mcpServers: [] }));
});
afterAll(async () => {
  await agent.stop();
  await model.close();
  project.cleanup();
  home.cleanup();
});

async function turn(prompt: string): Promise<{ stopReason: unknown; updates: Record<string, unknown>[] }> {
  const before = agent.received.length;
  const content = [{ type: 'text', text: prompt }];
  const { stopReason } = await agent.request('session/prompt', { sessionId, prompt: content });
  const updates = agent.received.slice(before).map(({ params }) => asRecord(asRecord(params)['update']));
  return { stopReason, updates };
}

const spoken = (updates: Record<string, unknown>[], kind: string): string =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map(({ content }) => asText(asRecord(content)['text']))
    .join('');

describe('the real Codex against the stand-in', () => {
  it('streams reasoning and text', async () => {
    const { stopReason, updates } = await turn('@think let me see\n@text hello world');
    expect(stopReason).toBe('end_turn');
    expect(spoken(updates, 'agent_thought_chunk').trim()).toBe('let me see');
    expect(spoken(updates, 'agent_message_chunk')).toBe('hello world');
  });

  it('runs a command and continues with the script', async () => {
    const { updates } = await turn('@shell echo "made $((40 + 2))"\n@text finished');
    expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call', kind: 'execute' }));
    expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'completed' }));
    expect(JSON.stringify(updates)).toContain('made 42');
    expect(spoken(updates, 'agent_message_chunk')).toBe('finished');
  });

  it('asks before a command outside the sandbox, and before a patch', async () => {
    const { updates } = await turn('@shell! touch allowed.txt\n@patch notes.txt|one\\ntwo\n@text finished');
    expect(asked).toEqual(['session/request_permission', 'session/request_permission']);
    expect(existsSync(join(project.dir, 'allowed.txt'))).toBe(true);
    expect(existsSync(join(project.dir, 'notes.txt'))).toBe(true);
    expect(spoken(updates, 'agent_message_chunk')).toBe('finished');
  });
});
