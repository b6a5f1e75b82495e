import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect } from '@liminal/client/connect';
import { addableAgents } from '@liminal/domain/agents/addable-agents';
import { agentStandIns, startNpmRegistry } from '@liminal/stand-ins/testing/npm-registry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The package as people install it, in an empty folder with an empty home.
const run = promisify(execFile);
const patience = 300_000;
const root = fileURLToPath(new URL('../../../', import.meta.url));
const place = mkdtempSync(path.join(tmpdir(), 'liminal-package-'));
const folder = path.join(place, 'empty');
const command = path.join(folder, 'node_modules', '.bin', 'liminal-builder');
afterAll(() => rmSync(place, { recursive: true, force: true }));

// Uses this machine's network settings, and nothing else of the user's.
const network = Object.entries(process.env).filter(([name]) => /proxy|cert|^ssl_|^npm_config_/i.test(name));
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(network),
  // Hides the agents of the repository.
  PATH: [path.dirname(process.execPath), ...(process.env['PATH'] ?? '').split(path.delimiter)]
    .filter((each) => !each.endsWith('.bin'))
    .join(path.delimiter),
  HOME: path.join(place, 'home'),
  LIMINAL_DEMO_SPEED: '20',
};
let tarball = '';

/** A copy of the repository: packing changes its package.json for a moment, which other tests must not see. */
function copyRepository(): string {
  const copy = path.join(place, 'repository');
  const isLeftOut = (file: string) => /\/(node_modules|stand-ins)$/.test(file);
  for (const name of [
    'package.json',
    'package-lock.json',
    'README.md',
    'LICENSE',
    'tsconfig.base.json',
    'scripts',
    'packages',
  ])
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true, filter: (file) => !isLeftOut(file) });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return copy;
}
beforeAll(async () => {
  for (const name of ['empty', 'home']) mkdirSync(path.join(place, name));
  const copy = copyRepository();
  const before = readFileSync(path.join(copy, 'package.json'), 'utf8');
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', place], { cwd: copy });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  tarball = path.join(place, filename);
  expect(readFileSync(path.join(copy, 'package.json'), 'utf8')).toBe(before);
  // The registry and cache that installed the repository itself.
  for (const name of ['registry', 'cache'])
    env[`npm_config_${name}`] = (await run('npm', ['config', 'get', name], { cwd: root })).stdout.trim();
  const flags = ['--prefer-offline', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...flags, tarball], { cwd: folder, env });
}, patience);

const { claude, codex } = addableAgents;
const addableVersions = {
  claude: claude.packages['@anthropic-ai/claude-agent-sdk'],
  codex: codex.packages['@agentclientprotocol/codex-acp'],
};

/** Adds one from the page and one from the command line, both from the test's registry, without a restart. */
async function addAgents(url: string, surroundings: NodeJS.ProcessEnv): Promise<void> {
  const { origin, searchParams } = new URL(url);
  const client = connect({ url: origin, token: searchParams.get('token') ?? '' });
  const states = async () => {
    const listed = await client.workbench.providers();
    const found = listed.ok ? listed.value.providers : [];
    return ['claude-code', 'codex'].map((id) => found.find(({ cliType }) => cliType === id));
  };
  expect(await states()).toMatchObject([
    { available: false, install: true },
    { available: false, install: true, reason: expect.stringContaining('liminal agents add codex') as string },
  ]);
  const steps: unknown[] = [];
  const installed = await client.workbench.installAgent('claude-code', { onLine: (line) => steps.push(line) });
  expect(installed).toMatchObject({ ok: true, value: { state: 'installed' } });
  expect(steps.length).toBeGreaterThan(1);
  const add = (...args: string[]) => run(command, ['agents', 'add', ...args], { cwd: folder, env: surroundings });
  expect(JSON.parse((await add('codex', '--json')).stdout)).toMatchObject({ agent: 'codex' });
  const [first, second] = await states();
  expect([first, second]).toMatchObject([
    { available: true, version: '2.1.325' },
    { available: true, version: '0.166.0' },
  ]);
  expect(first).not.toHaveProperty('install');
  await expect(add('gemini')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('claude or codex') as string,
  });
  const nowhere = { ...surroundings, npm_config_registry: 'http://127.0.0.1:1/', npm_config_fetch_retries: '0' };
  const failing = run(command, ['agents', 'add', 'codex', '--data-dir', path.join(place, 'other')], { env: nowhere });
  await expect(failing).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("wasn't installed") as string,
  });
}

describe('the package', () => {
  it(
    'PK-1: runs in an empty folder, the demo agent answers, and agents can be added',
    { timeout: patience },
    async () => {
      const registry = await startNpmRegistry(agentStandIns(addableVersions));
      const withAgents = { ...env, npm_config_registry: registry.url };
      const began = performance.now();
      const server = spawn(command, ['--json', '--port', '0'], {
        cwd: folder,
        env: withAgents,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = once(server, 'close');
      try {
        const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
        const { url } = JSON.parse(line) as { url: string };
        const ready = performance.now() - began;
        const page = await (await fetch(url)).text();
        expect(page).toContain('<title>Liminal Builder');
        const { stdout } = await run(command, ['run', '--agent', 'demo', '--wait', 'Say hello'], { cwd: folder, env });
        expect(stdout).toContain('You wrote: “Say hello”');
        const size = (statSync(tarball).size / 1024 / 1024).toFixed(1);
        console.log(`The package is ${size} MB; its server was ready after ${(ready / 1000).toFixed(1)} s.`);
        await addAgents(url, withAgents);
        expect(registry.asked).toContain('@anthropic-ai/claude-agent-sdk');
        expect(registry.asked).toContain('@agentclientprotocol/codex-acp');
      } finally {
        server.kill('SIGTERM');
        await closed;
        registry.close();
      }
      expect(server.exitCode).toBe(0);
    },
  );

  it('PK-1: contains neither agents nor development files', () => {
    const installed = readdirSync(path.join(folder, 'node_modules'));
    expect(
      installed.filter((name) => /^(@anthropic-ai|@openai|@agentclientprotocol|@liminal|vite|typescript)/.test(name)),
    ).toEqual([]);
    const files = globSync('**/*', { cwd: path.join(folder, 'node_modules', 'liminal-builder') });
    expect(files.filter((file) => /\.(tsx?|map)$|\.test\./.test(file))).toEqual([]);
  });
});
