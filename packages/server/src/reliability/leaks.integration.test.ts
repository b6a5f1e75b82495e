import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Project } from '@liminal/contracts';
import { claudeHome, codexHome } from '@liminal/stand-ins/agent-homes';
import { startStandInModel } from '@liminal/stand-ins/model-server';
import { startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createApi } from './testing/api.ts';
import { familyEnvironments } from './testing/family-environments.ts';
import { report } from './testing/report.ts';
import { patience, testTimeout } from './testing/torture.ts';

const canary = (name: string): string => `canary-${name}-${randomBytes(8).toString('hex')}`;
/** Secrets of the user. */
const strangers = {
  AWS_SECRET_ACCESS_KEY: canary('aws'),
  GITHUB_TOKEN: canary('github'),
  DATABASE_URL: `postgres://me:${canary('database')}@db/x`,
  NPM_TOKEN: canary('npm'),
  STRIPE_KEY: canary('stripe'),
  GEMINI_API_KEY: canary('gemini'),
  npm_config__authToken: canary('npmrc'),
};
/** Secrets that only the server, or the agent they are named after, may have. */
const token = canary('token');
const anthropic = canary('anthropic');
const openai = canary('openai');
const inAgentsFile = { env: canary('agents-file'), argument: canary('argument') };
const overBridge = {
  variable: canary('bridge-variable'),
  key: canary('bridge-key'),
  argument: canary('bridge-argument'),
};
const everyCanary = [
  ...Object.values(strangers),
  ...Object.values(inAgentsFile),
  ...Object.values(overBridge),
  token,
  anthropic,
  openai,
];

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const recordingAgent = fileURLToPath(new URL('./testing/recording-agent.ts', import.meta.url));

/** The program with secrets in every possible place, and everything it outputs. */
async function startWithSecrets() {
  const root = mkdtempSync(join(tmpdir(), 'liminal-leaks-'));
  cleanups.push(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const [dataDir, folder] = [join(root, 'data'), join(root, 'project')];
  mkdirSync(dataDir);
  mkdirSync(folder);
  const agent = (id: string, command: string) => ({
    id,
    command,
    args: [recordingAgent, '/dev/null', inAgentsFile.argument],
    env: { OWN_SECRET: inAgentsFile.env },
  });
  const agents = [agent('own', process.execPath), agent('absent', '/nowhere/agent'), agent('broken', '/etc/hostname')];
  writeFileSync(join(dataDir, 'agents.json'), JSON.stringify(agents));
  const model = await startStandInModel();
  const homes = [codexHome(model), claudeHome(model)];
  cleanups.push(() => homes.forEach((home) => home.cleanup()));
  cleanups.push(() => model.close());
  const env = Object.assign({}, ...homes.map((home) => home.env)) as Record<string, string>;
  const secrets = { ...strangers, LIMINAL_TOKEN: token, ANTHROPIC_API_KEY: anthropic, OPENAI_API_KEY: openai };
  const program = startProgram({ dataDir, env: { ...env, ...secrets, LIMINAL_LOG: 'trace' } });
  cleanups.push(() => program.stop());
  const ready = await program.ready;
  return { program, ready, dataDir, folder, model };
}

type Started = Awaited<ReturnType<typeof startWithSecrets>>;

/** Sends every request, valid and invalid, and keeps every response. */
async function askForEverything({ ready }: Started, sessionIds: readonly string[], projectId: string): Promise<string> {
  const said: string[] = [];
  const ask = async (method: string, path: string, body?: string, secret: string = token): Promise<void> => {
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const reply = await fetch(`http://127.0.0.1:${ready.port}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    said.push(JSON.stringify([...reply.headers]), await reply.text());
  };
  await ask('GET', '/api/openapi.json');
  const { paths } = JSON.parse(said.at(-1) ?? '{}') as { paths: Record<string, Record<string, unknown>> };
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      if (path === '/api/token/rotate' || path.endsWith('/kill')) continue;
      for (const id of [...sessionIds, projectId, 'none']) {
        const filled = path.replace('{id}', id).replaceAll(/\{\w+\}/g, 'none');
        if (method === 'get') await ask('GET', filled);
        if (method !== 'get' && method !== 'delete')
          for (const body of ['{}', '{"a":', '[1]']) await ask(method.toUpperCase(), filled, body);
      }
    }
  }
  for (const path of ['/', '/nothing', '/assets/nothing.js', '/api/projects', '/%zz', '/?token=wrong']) {
    await ask('GET', path);
    await ask('GET', path, undefined, 'wrong');
  }
  for (const asset of new Set(said.join('').match(/\/assets\/[\w.-]+\.(?:js|css)/g) ?? [])) await ask('GET', asset);
  return said.join('\n');
}

/** A channel host that passes its own secrets to agents that don't start. */
async function connectBridge({ ready, folder }: Started): Promise<string> {
  const socket = new WebSocket(`ws://127.0.0.1:${ready.port}/ws`, { headers: { authorization: `Bearer ${token}` } });
  const frames: string[] = [];
  socket.on('message', (data: Buffer) => frames.push(data.toString()));
  await once(socket, 'open');
  const env = { HOST_SECRET: overBridge.variable };
  const own = { command: '/nowhere/agent', args: [overBridge.argument], cwd: folder, env };
  const invoke = (id: number, type: string, payload: object) =>
    socket.send(
      JSON.stringify({ type: 'invoke', id, channel: 'agent:connect', args: [`task-${id}`, { type, payload }, {}] }),
    );
  invoke(1, 'acp', own);
  invoke(2, 'acp', { ...own, command: '/etc/hostname' });
  invoke(3, 'acp', { ...own, command: 7 });
  invoke(4, 'claude-sdk', { cwd: '/nowhere', apiKey: overBridge.key });
  invoke(5, 'claude-sdk', { cwd: folder, apiKey: overBridge.key, model: 7 });
  await vi.waitFor(() => expect(frames.filter((frame) => frame.includes('"result"'))).toHaveLength(5), patience);
  socket.close();
  return frames.join('\n');
}

describe('secrets of the server', { timeout: testTimeout }, () => {
  it(
    'reach no log, no other agent, no page, no response, no error, and nothing that is stored',
    async () => {
      const started = await startWithSecrets();
      const { program, ready, dataDir, folder } = started;
      const api = createApi(ready);
      const { body: project } = await api.call<Project>('POST', '/api/projects', { dir: folder });
      await api.call('POST', `/api/projects/${project.projectId}/trust`, { trusted: true });
      const sessionIds: string[] = [];
      for (const cliType of ['demo', 'claude-code', 'codex', 'own']) {
        sessionIds.push(await api.newSession(cliType, folder));
      }
      const failures: unknown[] = [];
      for (const cliType of ['absent', 'broken', 'none']) {
        failures.push((await api.call('POST', '/api/session/create', { cliType, projectDir: folder })).body);
      }
      await api.send(sessionIds[3]!, 'say 3');
      await api.send(sessionIds[1]!, '@error 401 who are you');
      await vi.waitFor(async () => {
        for (const id of [sessionIds[1]!, sessionIds[3]!])
          expect(await api.status(id)).toMatchObject({ activity: 'idle' });
      }, patience);

      const family = familyEnvironments(ready.pid);
      const holders = (secret: string) =>
        family.filter(({ environment }) => environment.includes(secret)).map(({ command }) => command);
      for (const [name, secret] of Object.entries(strangers)) expect(holders(secret), name).toEqual([]);
      expect(holders(token), 'the token').toEqual([]);
      expect(
        holders(anthropic).filter((command) => !command.includes('claude')),
        'the key of Claude Code',
      ).toEqual([]);
      expect(
        holders(openai).filter((command) => !command.includes('codex')),
        'the key of Codex',
      ).toEqual([]);
      expect(holders(anthropic), 'an agent gets what is its own').not.toEqual([]);
      expect(holders(inAgentsFile.env), 'an agent gets what was written for it').toHaveLength(1);

      const bridge = await connectBridge(started);
      const answers = await askForEverything(started, sessionIds, project.projectId);
      await api.send(sessionIds[3]!, 'die');
      await vi.waitFor(
        async () => expect(JSON.stringify(await api.history(sessionIds[3]!))).toContain('PROCESS_CRASH'),
        patience,
      );
      writeFileSync(join(dataDir, 'agents.json'), `[{"id": "x", "command": "x", "env": {"K": "${inAgentsFile.env}" `);
      await vi.waitFor(async () => {
        failures.push((await api.call('GET', '/api/providers')).body);
        expect(JSON.stringify(failures.at(-1))).toContain('agents.json');
      }, patience);
      const histories = await Promise.all(sessionIds.map((id) => api.history(id)));
      await program.stop();

      const places = {
        'standard output': program.stdout().replace(/^\{"event":"ready".*\n/, ''),
        'the log': program.stderr(),
        'an answer': answers,
        'a frame': bridge,
        'a failure': JSON.stringify(failures),
        'a history': JSON.stringify(histories),
        ...Object.fromEntries(
          readdirSync(dataDir, { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile() && entry.name !== 'agents.json')
            .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')]),
        ),
      };
      const leaks = Object.entries(places).flatMap(([place, text]) =>
        everyCanary
          .filter((secret) => text.includes(secret))
          .map((secret) => `${secret} in ${place}: ${around(text, secret)}`),
      );
      expect(leaks).toEqual([]);
      expect(program.stderr().length).toBeGreaterThan(100);
      report(
        'Leaks',
        'canaries × places searched',
        `${everyCanary.length} × ${Object.keys(places).length} texts (${Math.round(Object.values(places).join('').length / 1024)} KiB) and ${family.length} environments: ${leaks.length} found`,
      );
    },
    testTimeout,
  );

  it('stay on this machine, because the program listens only on loopback', async () => {
    const { ready } = await startWithSecrets();
    const outer = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal }) => !internal);
    const outcomes: string[] = [];
    for (const { address, scopeid } of outer) {
      const socket = createConnection(ready.port, scopeid ? `${address}%${scopeid}` : address);
      const outcome = await Promise.race([once(socket, 'error'), once(socket, 'connect')]);
      socket.destroy();
      outcomes.push((outcome[0] as NodeJS.ErrnoException | undefined)?.code ?? `${address} answered`);
    }
    const answered = outcomes.filter((outcome) => !/^(ECONNREFUSED|EADDRNOTAVAIL|EINVAL|ENETUNREACH)$/.test(outcome));
    expect(answered).toEqual([]);
    const figure = `${outer.length} tried, ${answered.length} answered`;
    report('Access', 'addresses other than loopback', figure);
  });
});

const around = (text: string, secret: string): string =>
  text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 60);
