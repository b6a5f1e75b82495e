import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from '@liminal/client/connect';
import { itemsOfTurn } from '@liminal/domain/timeline/timeline';
import { claudeHome, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { startProgram } from '@liminal/stand-ins/testing/start-program';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { endAfterAll } from '../testing/end-after-all.ts';
import { launcher } from '../testing/start-liminal.ts';

// The real server, the real Claude Code with a scripted model, and the official client.
const patience = 120_000;
const endLater = endAfterAll(patience);

const project = projectFolder();
endLater(project.cleanup);
let dataDir: string;
let client: Client;
const command = { command: process.execPath, args: [launcher, 'mcp', '--project', project.dir] };

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'liminal-mcp-'));
  endLater(() => rmSync(dataDir, { recursive: true, force: true }));
  const model = await startStandInModel();
  endLater(() => model.close());
  const home = claudeHome(model);
  endLater(home.cleanup);
  const liminal = { type: 'stdio', ...command, env: { LIMINAL_DATA_DIR: dataDir } };
  const settings = join(home.env['CLAUDE_CONFIG_DIR'] ?? '', '.claude.json');
  writeFileSync(settings, JSON.stringify({ mcpServers: { liminal } }));
  const program = startProgram({ dataDir, env: { ...home.env, LIMINAL_DEMO_SPEED: '20' } });
  endLater(() => program.stop());
  const { url, token } = await program.ready;
  client = connect({ url: new URL(url).origin, token });
}, patience);

const value = <T>(reply: { ok: true; value: T } | { ok: false; failure: { message: string } }): T => {
  if (!reply.ok) throw new Error(reply.failure.message);
  return reply.value;
};

const sessions = async () => {
  const [only] = value(await client.project.list()).projects;
  return value(await client.session.list({ projectId: only?.projectId })).sessions;
};

describe('liminal mcp', () => {
  it('CL-3: lets Claude Code start a second session and read its answer', { timeout: patience }, async () => {
    const { sessionId: parent } = value(
      await client.session.create({ cliType: 'claude-code', projectDir: project.dir }),
    );
    const session = client.open(parent);
    /** One call, which the user allows. Returns what the agent got back. */
    const call = async (tool: string, input: object): Promise<string> => {
      const { turnId } = value(await session.send(`@tool mcp__liminal__${tool} ${JSON.stringify(input)}\n@text ok`));
      for await (const { timeline } of session.follow()) {
        const items = itemsOfTurn(timeline, turnId);
        const open = timeline.permissions[0];
        const allow = open?.options.find(({ kind }) => kind === 'allow_once');
        if (open && allow) await session.answer({ requestId: open.requestId, optionId: allow.optionId });
        const found = items.find((item) => item.type === 'tool_call');
        if (found?.type === 'tool_call' && found.status === 'complete') {
          const settled = await session.settled(turnId);
          expect(settled.progress.state).toBe('done');
          return found.toolOutput ?? '';
        }
      }
      throw new Error('Following ended.');
    };
    expect(await call('start_session', { agent: 'demo', message: 'Say hello' })).toContain('sessionId');
    const child = (await sessions()).find(({ cliType }) => cliType === 'demo');
    expect(child).toMatchObject({ startedBy: { sessionId: parent, depth: 1 } });
    const { sessionId = '' } = child ?? {};
    expect(await call('wait', { sessionId })).toContain('You wrote: “Say hello”');
  });

  it('CL-3: offers an outside client no way to answer requests or reach sessions it didn’t start', async () => {
    const other = value(await client.session.create({ cliType: 'demo', projectDir: project.dir }));
    const mcp = new McpClient({ name: 'test', version: '1' });
    const { LIMINAL_AGENT_MARK: _, ...env } = process.env as Record<string, string>;
    await mcp.connect(new StdioClientTransport({ ...command, env: { ...env, LIMINAL_DATA_DIR: dataDir } }));
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      const { content, isError = false } = await mcp.callTool({ name, arguments: args });
      const [{ text }] = content as [{ text: string }];
      return { isError, text };
    };
    try {
      const { tools } = await mcp.listTools();
      expect(tools.map(({ name }) => name).toSorted()).toEqual([
        'list_sessions',
        'read_session',
        'review_session',
        'send_message',
        'start_session',
        'wait',
      ]);
      expect(await call('send_message', { sessionId: other.sessionId, message: 'x' })).toMatchObject({ isError: true });
      expect(await call('start_session', { agent: 'demo', message: 'x', folder: '/' })).toMatchObject({
        isError: true,
      });
      const begun = await call('start_session', { agent: 'demo', message: 'Ask for permission' });
      const { sessionId } = JSON.parse(begun.text) as { sessionId: string };
      expect((await call('wait', { sessionId })).text).toMatch(/"waiting".*The user has to answer/);
      expect((await call('read_session', { sessionId })).text).toContain('User: Ask for permission');
      expect((await call('list_sessions')).text).toContain(other.sessionId);
      expect((await call('review_session', { sessionId })).isError).toBe(false);
      expect((await call('read_session', { sessionId: 'elsewhere' })).isError).toBe(true);
      const row = (await sessions()).find((each) => each.sessionId === sessionId);
      expect(row).toMatchObject({ attention: 'needs-you', startedBy: { depth: 1 } });
    } finally {
      await mcp.close();
    }
  });
});
