import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProviderSummary } from '@liminal/contracts';
import { type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterAll, beforeAll, expect, test } from 'vitest';

const demoScript = fileURLToPath(new URL('../providers/demo/demo-agent.ts', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'liminal-own-agents-'));
let program: Program;
let origin = '';
let token = '';
beforeAll(async () => {
  program = startProgram({ args: ['--no-open'] });
  const ready = await program.ready;
  origin = `http://127.0.0.1:${ready.port}`;
  ({ token } = ready);
});
afterAll(async () => {
  await program.stop();
  rmSync(project, { recursive: true });
});

async function call<T>(method: string, path: string, body?: object): Promise<{ status: number; body: T }> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const reply = await fetch(`${origin}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: reply.status, body: (await reply.json()) as T };
}
const providers = async (): Promise<ProviderSummary[]> =>
  (await call<{ providers: ProviderSummary[] }>('GET', '/api/providers')).body.providers;
const find = async (cliType: string): Promise<ProviderSummary | undefined> =>
  (await providers()).find((provider) => provider.cliType === cliType);
const writeAgents = (value: unknown): void =>
  writeFileSync(join(program.dataDir, 'agents.json'), typeof value === 'string' ? value : JSON.stringify(value));

test('every agent reports whether it can start and, if not, what to do', async () => {
  const all = await providers();
  expect(all.map(({ cliType }) => cliType)).toEqual(
    expect.arrayContaining(['claude-code', 'codex', 'demo', 'opencode']),
  );
  expect(all.find(({ cliType }) => cliType === 'demo')).toMatchObject({ available: true });
  for (const { available, reason } of all) if (!available) expect(reason).toMatch(/`npm install|Install|Run/);
});

test('an agent added to agents.json runs without a restart', async () => {
  expect(await find('mine')).toBeUndefined();
  writeAgents([{ id: 'mine', name: 'My agent', command: process.execPath, args: [demoScript], env: {} }]);
  expect(await find('mine')).toMatchObject({ name: 'My agent', available: true });
  const { body: added } = await call<{ projectId: string }>('POST', '/api/projects', { dir: project });
  await call('POST', `/api/projects/${added.projectId}/trust`, { trusted: true });
  const created = await call<{ cliType: string }>('POST', '/api/session/create', {
    cliType: 'mine',
    projectId: added.projectId,
  });
  expect(created).toMatchObject({ status: 201, body: { cliType: 'mine' } });
});

test('an invalid agents.json breaks nothing and is reported with the reason', async () => {
  writeAgents([{ id: 'mine', name: 'My agent' }]);
  expect(await find('mine')).toMatchObject({
    available: false,
    reason: expect.stringMatching(/agents\.json, entry 1 \("mine"\): "command" is missing/) as string,
  });
  writeAgents('[');
  expect(await find('agents.json')).toMatchObject({ available: false });
  expect(await find('demo')).toMatchObject({ available: true });
  expect(await call('POST', '/api/session/create', { cliType: 'nope', projectDir: project })).toMatchObject({
    status: 400,
    body: { error: { code: 'UNSUPPORTED_CLI_TYPE' } },
  });
});
