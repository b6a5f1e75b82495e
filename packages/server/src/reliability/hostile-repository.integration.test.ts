import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Project } from '@liminal/contracts';
import { type AgentHome, claudeHome, codexHome } from '@liminal/stand-ins/agent-homes';
import { type StandInModel, startStandInModel } from '@liminal/stand-ins/model-server';
import { type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Loose } from '../testing/test-server.ts';
import { type Api, createApi } from './testing/api.ts';
import { connectReader } from './testing/folding-reader.ts';
import { createHostileRepository, type HostileRepository } from './testing/hostile-repository.ts';
import { report } from './testing/report.ts';
import { patience, testTimeout } from './testing/torture.ts';

let repository: HostileRepository;
let model: StandInModel;
let homes: AgentHome[];
let program: Program;
let api: Api;
/** The server that the repository wants agents to connect to. */
let elsewhere: Server;
const calls: string[] = [];

beforeEach(async () => {
  calls.length = 0;
  elsewhere = createServer((request, reply) => {
    calls.push(`${request.method} ${request.url}`);
    reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
  repository = createHostileRepository(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`);
  model = await startStandInModel();
  homes = [codexHome(model), claudeHome(model)];
  const env = Object.assign({}, ...homes.map((home) => home.env)) as Record<string, string>;
  program = startProgram({
    env: { ...env, LIMINAL_AGENT_ENV: 'IS_SANDBOX,DISABLE_AUTOUPDATER', LIMINAL_LOG: 'debug' },
  });
  api = createApi(await program.ready);
});
afterEach(async () => {
  await program.stop();
  await model.close();
  elsewhere.close();
  for (const home of homes) home.cleanup();
  repository.cleanup();
});

async function trust(): Promise<void> {
  const { body } = await api.call<Project>('POST', '/api/projects', { dir: repository.dir });
  await api.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
}

/** Sends one message to an agent and collects everything that follows. */
async function talk(cliType: string, words: string): Promise<{ sessionId: string; said: string }> {
  const sessionId = await api.newSession(cliType, repository.dir);
  const sent = await api.send(sessionId, words);
  expect(sent.status).toBe(202);
  await vi.waitFor(async () => {
    const { turns } = await api.history(sessionId);
    expect(turns.map(({ state }) => state)).toEqual(['completed']);
  }, patience);
  return { sessionId, said: JSON.stringify(await api.history(sessionId)) };
}

describe('a hostile repository that nobody has trusted', () => {
  it(
    'runs nothing and reads nothing outside itself while a user browses it and works in it with Claude Code',
    async () => {
      const answers: unknown[] = [];
      const ask = async <Body = Loose>(method: string, path: string, body?: unknown) => {
        const { status, body: said } = await api.call<Body>(method, path, body);
        answers.push(said);
        return { status, said };
      };
      const { projectId } = (await ask<Project>('POST', '/api/projects', { dir: repository.dir })).said;
      const found: string[] = [];
      for (const query of ['', 'secret', 'key', 'outside', '-', 'touch', 'a', 'notes', 'ignore']) {
        const search = `/api/projects/${projectId}/files?q=${encodeURIComponent(query)}&limit=100`;
        const { said } = await ask<{ files: { path: string }[] }>('GET', search);
        found.push(...said.files.map(({ path }) => path));
      }
      expect(found).toEqual(expect.arrayContaining(['-rf', '--help', 'src/index.js']));
      expect(found.filter((path) => /secret|id_rsa|outside|notes|key\.txt|deep|loop/.test(path))).toEqual([]);
      await ask('GET', `/api/folders?path=${encodeURIComponent(repository.dir)}`);
      await ask('GET', `/api/session/discover?projectId=${projectId}`);
      await ask('GET', `/api/projects/${projectId}/choices`);
      await ask('GET', '/api/providers');

      const { sessionId, said } = await talk('claude-code', '@text hello there');
      expect(said).toContain('hello there');
      for (const mention of ['notes.txt', 'outside-link/secret.txt', 'src/key.txt', '../outside/secret.txt']) {
        const { status } = await ask('POST', `/api/session/${sessionId}/send`, { content: 'x', mentions: [mention] });
        expect(status, mention).toBe(400);
      }
      for (const cliType of ['codex', 'opencode']) {
        const { status, said: refusal } = await ask('POST', '/api/session/create', {
          cliType,
          projectDir: repository.dir,
        });
        expect([409, 424, 400], cliType).toContain(status);
        expect(['PROJECT_NOT_TRUSTED', 'AGENT_NOT_INSTALLED', 'UNSUPPORTED_CLI_TYPE']).toContain(refusal.error.code);
      }
      const session = `/api/session/${sessionId}`;
      for (const scope of ['uncommitted', 'staged', 'unstaged', 'base', 'turn', 'session']) {
        const { status, said: list } = await ask('GET', `${session}/changes?scope=${scope}`);
        expect([status, list['source']], scope).toEqual([200, 'calls']);
      }
      await ask('POST', `${session}/prepare`);
      await ask('GET', `${session}/comments`);
      for (const action of ['stage', 'unstage', 'discard', 'commit']) {
        const body = action === 'commit' ? { message: 'x', all: true } : { paths: ['README.md'] };
        expect((await ask('POST', `${session}/${action}`, body)).said.error.code, action).toBe('PROJECT_NOT_TRUSTED');
      }
      await api.call('POST', `/api/session/${sessionId}/kill`);
      expect(repository.ran()).toEqual([]);
      expect(calls).toEqual([]);
      const output = `${JSON.stringify(model.requests)}${JSON.stringify(answers)}${said}${program.stderr()}`;
      expect(output).not.toContain(repository.secret);
      expect(JSON.stringify(model.requests)).not.toContain(repository.orders);
      const read = repository.readOutside();
      expect(read ?? []).toEqual([]);
      report(
        'Hostile repository',
        'before trust: commands run, requests to other hosts, outside files read',
        `0, 0, ${read === null ? 'not measurable on this disk (no content seen)' : '0'}`,
      );
    },
    testTimeout,
  );

  it(
    'makes the agent ask before it does what the settings allow, uses git, or follows a link out',
    async () => {
      const read = (file: string) => `@tool Read {"file_path":"${repository.dir}/${file}"}`;
      const scripts = [
        '@shell touch allowed-by-settings',
        // Git runs programs from the repository's own configuration: monitors, filters, hooks.
        '@shell git status',
        '@shell git diff',
        '@shell cd src && git show HEAD',
        '@shell ls; git ls-files',
        '@shell cat notes.txt',
        '@shell head outside-link/secret.txt',
        '@shell ls src/deep',
        read('notes.txt'),
        read('outside-link/secret.txt'),
      ];
      const sessionId = await api.newSession('claude-code', repository.dir);
      const activity = async () => (await api.status(sessionId)).activity;
      for (const script of scripts) {
        await api.send(sessionId, script);
        await vi.waitFor(async () => expect(await activity(), script).toBe('waiting'), patience);
        await api.call('POST', `/api/session/${sessionId}/cancel`);
        await vi.waitFor(async () => expect(await activity()).toBe('idle'), patience);
      }
      expect(repository.ran()).toEqual([]);
      expect(repository.readOutside() ?? []).toEqual([]);
      expect(JSON.stringify(model.requests)).not.toContain(repository.secret);
      report(
        'Hostile repository',
        'actions Claude Code asks about before trust',
        `${scripts.length} of ${scripts.length}`,
      );
    },
    testTimeout,
  );

  it(
    'can’t start Claude Code if its configuration paths lead out of the folder, until it is trusted',
    async () => {
      const start = async () =>
        api.call('POST', '/api/session/create', { cliType: 'claude-code', projectDir: repository.dir });
      const sessionId = await api.newSession('claude-code', repository.dir);
      await api.call('POST', `/api/session/${sessionId}/kill`);
      for (const path of ['.claude/skills', '.claude/settings.local.json', '.git/packed-refs']) {
        repository.leadOut(path);
        const { status, body } = await start();
        expect([status, body.error.code], path).toEqual([409, 'PROJECT_NOT_TRUSTED']);
      }
      // A session that was already open can't continue either.
      await api.call('POST', `/api/session/${sessionId}/load`);
      await api.send(sessionId, '@text hello');
      await vi.waitFor(async () => {
        const { turns } = await api.history(sessionId);
        expect(turns).toMatchObject([{ state: 'failed', ended: { errorCode: 'PROJECT_NOT_TRUSTED' } }]);
      }, patience);
      expect(repository.readOutside() ?? []).toEqual([]);
      await trust();
      expect((await start()).status).toBe(201);
    },
    testTimeout,
  );

  it(
    'runs the real git for a command that the user allows',
    async () => {
      const sessionId = await api.newSession('claude-code', repository.dir);
      const reader = await connectReader(await program.ready);
      reader.subscribe(sessionId, 'full');
      await api.send(sessionId, '@shell git log --oneline');
      await reader.until(sessionId, ({ permissions }) => permissions.length === 1);
      const [asked] = reader.timeline(sessionId).permissions;
      const optionId = asked?.options.find(({ kind }) => kind === 'allow_once')?.optionId;
      await api.call('POST', `/api/session/${sessionId}/permission`, { requestId: asked?.requestId, optionId });
      await reader.until(sessionId, ({ items }) =>
        [...items.values()].some((item) => item.type === 'tool_call' && /first$/m.test(item.toolOutput ?? '')),
      );
      await reader.close();
      expect(repository.ran()).toEqual([]);
    },
    testTimeout,
  );

  it(
    'runs its hooks once it is trusted, so the tests above would have noticed them',
    async () => {
      await trust();
      const sessionId = await api.newSession('claude-code', repository.dir);
      await api.send(sessionId, '@text hello');
      await vi.waitFor(() => expect(repository.ran()).toContain('claude-hook-SessionStart'), patience);
      await vi.waitFor(() => expect(repository.readOutside() ?? ['config']).toContain('config'), patience);
    },
    testTimeout,
  );
});
