import type { CreateSessionReply } from '@liminal/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.close());

async function setup() {
  const pids = new Map<string, number>();
  const processOf = (sessionId: string) => pids.get(sessionId);
  const claude = createScriptedProvider('claude-code', { processOf });
  server = await startTestServer({ provider: claude, others: [createScriptedProvider('other')] });
  const parent = await server.newSession();
  pids.set(parent, 100);
  const create = (processes: readonly number[], more: object = {}) =>
    server.call<CreateSessionReply & { error: { message: string } }>('POST', '/api/session/create', {
      cliType: 'claude-code',
      projectDir: server.folder,
      startedFrom: { processes, insideAgent: true },
      ...more,
    });
  const row = (sessionId: string) => server.store.session(sessionId);
  return { pids, claude, parent, create, row };
}

describe('a session started by an agent', () => {
  it('CL-3: is recorded as its child, and starts in a mode that asks, whatever was chosen last', async () => {
    const { claude, parent, create, row } = await setup();
    await server.call('POST', '/api/session/create', {
      cliType: 'claude-code',
      projectDir: server.folder,
      options: { modeId: 'acceptEdits' },
    });
    const { status, body } = await create([7, 100, 1], { options: { modeId: 'bypassPermissions' }, confirm: true });
    expect(status).toBe(201);
    expect(row(body.sessionId)).toMatchObject({ startedBy: { sessionId: parent, depth: 1 } });
    expect(claude.created.at(-1)?.providerOptions?.modeId).toBe('default');
  });

  it('CL-3: is refused too deep, in another project, to strangers, for other agents and beyond a number', async () => {
    const { pids, create } = await setup();
    const said = async (processes: readonly number[], more?: object) => {
      const { status, body } = await create(processes, more);
      return status === 201 ? body.sessionId : body.error.message;
    };
    expect(await said([7])).toContain("didn't start");
    expect(await said([100], { projectDir: process.cwd() })).toContain('its own project');
    expect(await said([100], { cliType: 'other' })).toContain('more rights');
    pids.set(await said([100]), 101);
    pids.set(await said([101]), 102);
    expect(await said([102])).toContain('levels deep');
    for (let made = 1; made < 10; made += 1) await said([100]);
    expect(await said([100])).toContain('10 started sessions');
  });
});
