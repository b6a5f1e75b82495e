import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import { createAgentSpawner } from '../../../processes/spawn-agent.ts';
import type { CliProvider } from '../../provider.ts';
import { createAgentCatalogue } from './agent-catalogue.ts';
import { followCatalogue } from './follow-catalogue.ts';

let dataDir = '';
let providers: () => readonly CliProvider[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'liminal-catalogue-'));
  providers = follow({});
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function follow(env: Record<string, string>): () => readonly CliProvider[] {
  const catalogue = createAgentCatalogue({ dataDir, env, taken: ['claude-code'], log: silentLog });
  const spawner = createAgentSpawner({ log: silentLog });
  const deps = { spawner, log: silentLog, env: { PATH: '/bin' }, now: Date.now, newId: () => 'id' };
  return followCatalogue(catalogue, { ...deps, clientVersion: '0', neutralDir: join(dataDir, 'agents') });
}

const write = (value: unknown, name = 'agents.json'): void =>
  writeFileSync(join(dataDir, name), typeof value === 'string' ? value : JSON.stringify(value));
const find = (id: string): CliProvider | undefined => providers().find(({ cliType }) => cliType === id);
const reasonOf = async (id: string): Promise<string | undefined> => {
  const availability = await find(id)?.availability();
  return availability?.available === false ? availability.reason : undefined;
};

test('lists Codex, the demo and the known agents, with install steps for missing ones', async () => {
  expect(providers().map(({ cliType }) => cliType)).toEqual([
    'codex',
    'demo',
    'opencode',
    'gemini',
    'qwen',
    'claude-agent-acp',
    'copilot',
    'auggie',
    'cline',
    'kimi-code',
  ]);
  expect(await find('codex')?.availability()).toEqual({ available: true });
  expect(await find('demo')?.availability()).toEqual({ available: true });
  expect(await reasonOf('opencode')).toBe(
    "opencode isn't installed. Run `npm install --global opencode-ai` in a terminal.",
  );
});

test('agents.json is read again without a restart: entries added, changed, removed and restored', async () => {
  expect(find('mine')).toBeUndefined();
  write([{ id: 'mine', name: 'Mine', command: 'sh' }]);
  const mine = find('mine');
  expect(mine).toMatchObject({ name: 'Mine' });
  expect(await mine?.availability()).toEqual({ available: true });
  write([{ id: 'mine', name: 'Mine, renamed', command: '/no/such/program' }]);
  expect(find('mine')).toBe(mine);
  expect(mine?.name).toBe('Mine, renamed');
  expect(await reasonOf('mine')).toMatch(/correct "command" in agents\.json/);
  write([]);
  expect(find('mine')).toBeUndefined();
  write([{ id: 'mine', name: 'Mine', command: 'sh' }]);
  expect(find('mine')).toBe(mine);
});

test('a bad entry is listed as unavailable with the reason; good ones stay', async () => {
  write([{ id: 'good', command: 'sh' }, { id: 'bad', name: 'Bad', command: 'sh -c x' }, { command: 'sh' }]);
  expect(await find('good')?.availability()).toEqual({ available: true });
  expect(find('bad')?.name).toBe('Bad');
  expect(await reasonOf('bad')).toMatch(/agents\.json, entry 2 \("bad"\): "command" has spaces/);
  expect(await reasonOf('agents.json')).toMatch(/entry 3: "id" is missing/);
  await expect(find('bad')?.createSession({ projectDir: dataDir })).rejects.toMatchObject({
    code: 'UNSUPPORTED_CLI_TYPE',
    message: expect.stringMatching(/entry 2/) as string,
  });
});

test('a file broken during an edit keeps the previous agents, and says so', async () => {
  write([{ id: 'mine', command: 'sh' }]);
  const mine = find('mine');
  write('[{"id": "mine", "comm');
  expect(find('mine')).toBe(mine);
  expect(await reasonOf('agents.json')).toMatch(/agents\.json: it isn't valid JSON/);
  rmSync(join(dataDir, 'agents.json'));
  expect(find('mine')).toBeUndefined();
  expect(find('agents.json')).toBeUndefined();
});

test('the user’s own entry wins over a known agent, never over a built-in one', async () => {
  write([
    { id: 'opencode', name: 'My opencode', command: 'sh' },
    { id: 'codex', command: 'sh' },
    { id: 'claude-code', command: 'sh' },
  ]);
  expect(find('opencode')?.name).toBe('My opencode');
  expect(find('codex')?.name).toBe('Codex');
  expect(find('claude-code')).toBeUndefined();
  expect(await reasonOf('agents.json')).toMatch(/entry 2 \("codex"\).*built-in.*entry 3 \("claude-code"\)/);
});

test('a registry file adds agents, from the data directory or a given path', async () => {
  const registry = {
    version: '1.0.0',
    agents: [{ id: 'goose', name: 'goose', distribution: { npx: { package: 'goose-acp@1.2.3', args: ['acp'] } } }],
  };
  write(registry, 'registry.json');
  expect(await reasonOf('goose')).toBe(
    "goose isn't installed. Run `npm install --global goose-acp@1.2.3` in a terminal.",
  );
  rmSync(join(dataDir, 'registry.json'));
  expect(find('goose')).toBeUndefined();
  write(registry, 'elsewhere.json');
  providers = follow({ LIMINAL_AGENT_REGISTRY: join(dataDir, 'elsewhere.json') });
  expect(find('goose')).toBeDefined();
});

test('an agent the registry names differently is listed once', () => {
  const agents = [
    { id: 'qwen-code', name: 'Qwen Code', distribution: { npx: { package: '@qwen-code/qwen-code@0.24.4' } } },
    { id: 'codex-acp', name: 'Codex CLI', distribution: { npx: { package: '@agentclientprotocol/codex-acp@2.6.0' } } },
  ];
  write({ version: '1.0.0', agents }, 'registry.json');
  const ids = providers().map(({ cliType }) => cliType);
  expect(ids.filter((id) => /qwen|codex/.test(id)).toSorted()).toEqual(['codex', 'qwen']);
  expect(find('codex')?.name).toBe('Codex');
});

test('asking again doesn’t read the files again', () => {
  write([{ id: 'mine', command: 'sh' }]);
  expect(providers()).toBe(providers());
});

test('CX-2: a notice about a bundled agent is part of its entry', () => {
  const notices = { codex: 'It is used through its adapter.' };
  const catalogue = createAgentCatalogue({ dataDir, env: {}, taken: [], notices, log: silentLog });
  const reported = catalogue.read().flatMap((entry) => ('spec' in entry && entry.spec.notice ? [entry.spec.id] : []));
  expect(reported).toEqual(['codex']);
});
