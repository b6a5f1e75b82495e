import type { Preferences, PreferencesBody, ProjectChoices, SessionInfo } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { agentEnvironment } from '../processes/agent-environment.ts';
import { editableEnvironment, storedAgentEnv } from '../preferences/preference-service.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { createScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const chosen: [string, string][] = [];
const note = (kind: string) => async (_sessionId: string, value: string) => void chosen.push([kind, value]);
let server: TestServer;
beforeEach(async () => {
  chosen.length = 0;
  const provider = createScriptedProvider('scripted', {
    setModel: note('model'),
    setMode: note('mode'),
    setEffort: note('effort'),
  });
  server = await startTestServer({ provider, agentEnv: ['GIVEN'] });
});
afterEach(() => server.close());

const choose = (id: string, kind: string, body: object) => server.call('POST', `/api/session/${id}/${kind}`, body);
const lastOptions = () => server.provider.created.at(-1)?.providerOptions;
const choices = async () => {
  const { projectId } = (await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder }))
    .body;
  return (await server.call<ProjectChoices>('GET', `/api/projects/${projectId}/choices`)).body.choices;
};

describe('the last choice', () => {
  it('MM-5: is the default of new sessions of the same agent in the same project', async () => {
    const id = await server.newSession();
    await choose(id, 'model', { modelId: 'small' });
    await choose(id, 'model', { modelId: 'large' });
    await choose(id, 'mode', { modeId: 'plan' });
    await choose(id, 'effort', { effort: 'high' });
    expect(await choices()).toEqual({ scripted: { modelId: 'large', modeId: 'plan', effort: 'high' } });
    await server.newSession();
    expect(lastOptions()).toEqual({ modelId: 'large', modeId: 'plan', effort: 'high', trusted: false });
    const options = { modelId: 'small' };
    await server.call('POST', '/api/session/create', { cliType: 'scripted', projectDir: server.folder, options });
    expect(lastOptions()).toEqual({ modelId: 'small', modeId: 'plan', effort: 'high', trusted: false });
    expect((await choices())['scripted']?.modelId).toBe('small');
  });

  it('is ignored by an agent that no longer knows it', async () => {
    const id = await server.newSession();
    await choose(id, 'model', { modelId: 'retired' });
    const create = server.provider.createSession.bind(server.provider);
    server.provider.createSession = async (options) => {
      if (options.providerOptions?.modelId === 'retired') throw new ProviderError('INVALID_REQUEST', 'No such model.');
      return create(options);
    };
    const body = { cliType: 'scripted', projectDir: server.folder };
    expect((await server.call('POST', '/api/session/create', body)).status).toBe(201);
    expect(await choices()).toEqual({ scripted: {} });
    const again = { ...body, options: { modelId: 'retired' } };
    expect((await server.call('POST', '/api/session/create', again)).body.error.code).toBe('INVALID_REQUEST');
  });
});

describe('PM-3: a mode that never asks', () => {
  it('PM-3: needs a confirmation that says what it means, and is never the default of the next session', async () => {
    const id = await server.newSession();
    const refused = await choose(id, 'mode', { modeId: 'full-access' });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(refused.body.error.message).toMatch(/without asking/);
    expect(chosen).toEqual([]);
    expect((await choose(id, 'mode', { modeId: 'full-access', confirm: true })).status).toBe(200);
    expect(chosen).toEqual([['mode', 'full-access']]);
    expect(await choices()).toEqual({});
  });

  it('PM-3: needs it for a session that would start in this mode too', async () => {
    const body = { cliType: 'scripted', projectDir: server.folder, options: { modeId: 'bypassPermissions' } };
    expect((await server.call('POST', '/api/session/create', body)).status).toBe(400);
    expect(server.provider.created).toEqual([]);
    expect((await server.call('POST', '/api/session/create', { ...body, confirm: true })).status).toBe(201);
    expect(lastOptions()).toEqual({ modeId: 'bypassPermissions', trusted: false });
    await server.newSession();
    expect(lastOptions()).toEqual({ trusted: false });
  });
});

describe('PM-3: a mode the agent describes as never asking, whatever its name', () => {
  const quiet = { id: 'swift', name: 'Swift', description: 'Runs every command without asking.' };
  const modes = [{ id: 'plan', name: 'Plan', description: 'Changes nothing.' }, quiet];
  const body = (more: object) => ({ cliType: 'scripted', projectDir: server.folder, ...more });
  const create = (more: object) => server.call('POST', '/api/session/create', body(more));
  const describing = (info: SessionInfo) => {
    server.provider.onSessionInfo = (_, listener) => {
      listener(info);
      return () => {};
    };
  };
  beforeEach(() => describing({ modes }));

  it('PM-3: needs a confirmation to start with, leaves no agent without one, and is not remembered', async () => {
    const forget = vi.fn((sessionId: string) => server.provider.killSession(sessionId));
    server.provider.forgetSession = forget;
    const refused = await create({ options: { modeId: 'swift' } });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect(refused.body.error.message).toMatch(/"Swift", .* without asking/);
    expect(server.provider.isAlive('scripted-1')).toBe(false);
    expect(forget).toHaveBeenCalledWith('scripted-1');
    expect((await create({ options: { modeId: 'swift', modelId: 'large' }, confirm: true })).status).toBe(201);
    expect(lastOptions()).toMatchObject({ modeId: 'swift' });
    expect(await choices()).toEqual({ scripted: { modelId: 'large' } });
    expect((await create({ options: { modeId: 'plan' } })).status).toBe(201);
  });

  it('PM-3: needs one in a running session too', async () => {
    const sessionId = await server.newSession();
    expect((await choose(sessionId, 'mode', { modeId: 'swift' })).status).toBe(400);
    expect((await choose(sessionId, 'mode', { modeId: 'swift', confirm: true })).status).toBe(200);
    expect(await choices()).toEqual({});
  });

  it('PM-3: is forgotten if it was remembered before the agent described it so', async () => {
    describing({});
    expect((await create({ options: { modeId: 'swift' } })).status).toBe(201);
    expect(await choices()).toEqual({ scripted: { modeId: 'swift' } });
    describing({ modes });
    expect((await create({})).status).toBe(201);
    expect(lastOptions()).toEqual({ trusted: false });
    expect(await choices()).toEqual({ scripted: {} });
  });
});

describe('variables for agents', () => {
  it('are kept by name and reach the next agent that starts', async () => {
    const save = (agentEnv: unknown) => server.call<Preferences>('PUT', '/api/preferences', { agentEnv });
    expect((await server.call('GET', '/api/preferences')).body).toMatchObject({ agentEnv: [], startedWith: ['GIVEN'] });
    const env = editableEnvironment({ GIVEN: '1', ADDED: '2', OTHER: '3', LIMINAL_AGENT_ENV: 'GIVEN' }, () =>
      storedAgentEnv(server.store),
    );
    expect(agentEnvironment(env, { family: 'none' })).toEqual({ GIVEN: '1' });
    expect((await save(['ADDED', 'ADDED'])).body).toMatchObject({ agentEnv: ['ADDED'], startedWith: ['GIVEN'] });
    expect(agentEnvironment(env, { family: 'none' })).toEqual({ GIVEN: '1', ADDED: '2' });
    expect((await server.call('GET', '/api/preferences')).body['agentEnv']).toEqual(['ADDED']);
  });

  it.each([['LIMINAL_TOKEN'], ['CLAUDECODE'], ['A=B'], ['1X'], ['']])('rejects %j', async (name) => {
    const { status, body } = await server.call('PUT', '/api/preferences', { agentEnv: [name] });
    expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST']);
  });
});

describe('the settings', () => {
  /** A value of every setting, other than its default. */
  const changed: Required<PreferencesBody> = {
    agentEnv: ['ADDED'],
    retention: { outputDays: 1, decisionDays: 2 },
    checkpoints: { days: 3, megabytes: 4, folderMegabytes: 5 },
  };

  it.each(Object.entries(changed))('keep a new value of %s', async (name, value) => {
    expect((await server.call('GET', '/api/preferences')).body[name]).not.toEqual(value);
    expect((await server.call('PUT', '/api/preferences', { [name]: value })).status).toBe(200);
    expect((await server.call('GET', '/api/preferences')).body[name]).toEqual(value);
  });
});

describe('the retention time', () => {
  const save = (body: object) => server.call<Preferences>('PUT', '/api/preferences', body);
  const kept = async () => (await server.call<Preferences>('GET', '/api/preferences')).body;

  it('is set in days, next to the variables for agents', async () => {
    expect((await kept()).retention).toEqual({ outputDays: 90, decisionDays: 365 });
    const retention = { outputDays: 0, decisionDays: 30 };
    const replies = await Promise.all([save({ retention }), save({ agentEnv: ['ADDED'] })]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await kept()).toMatchObject({ agentEnv: ['ADDED'], startedWith: ['GIVEN'], retention });
  });

  it.each([[{ outputDays: -1 }], [{ outputDays: 1.5 }], [{ outputDays: '7' }], [{ outputDays: null }]])(
    'refuses %j',
    async (wrong) => {
      const { status } = await save({ retention: { decisionDays: 1, ...wrong } });
      expect(status).toBe(400);
      expect((await kept()).retention).toEqual({ outputDays: 90, decisionDays: 365 });
    },
  );
});
