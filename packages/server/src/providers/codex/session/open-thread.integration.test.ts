import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { acpCapabilities } from '../../acp/catalogue/agent-spec.ts';
import { runProvider, type RunningProvider } from '../../acp/testing/provider-under-test.ts';
import type { CliProvider } from '../../provider.ts';
import { createCodexProvider } from '../codex-provider.ts';

const projectDir = mkdtempSync(join(tmpdir(), 'liminal-codex-'));
afterAll(() => rmSync(projectDir, { recursive: true }));

/** A Codex that answers with these results, or runs the code instead. */
const script = (listModels: string): string => `
  const answers = {
    initialize: { userAgent: 'codex/0.166.0' },
    'account/read': { requiresOpenaiAuth: false },
    'thread/start': { thread: { id: 't1' } },
    'thread/resume': { thread: { id: 't1' } },
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'model/list') { ${listModels} }
    if (answers[method]) process.stdout.write(JSON.stringify({ id, result: answers[method] }) + '\\n');
  });`;

let started: RunningProvider<CliProvider>;
afterEach(() => started.cleanup());
function start(listModels: string): RunningProvider<CliProvider> {
  const server = { command: process.execPath, args: ['-e', script(listModels)] };
  const spec = {
    id: 'codex',
    name: 'Codex',
    ...server,
    env: {},
    family: 'none',
    capabilities: acpCapabilities,
  } as const;
  return (started = runProvider((deps) => createCodexProvider({ ...spec, server }, deps), {}));
}

test('a Codex that dies while a model is chosen opens no session, and says why', async () => {
  const { provider, processes } = start(`process.stderr.write('out of memory'); process.exit(3);`);
  const wanted = { projectDir, providerOptions: { modelId: 'a-model' } };
  const why = { code: 'SESSION_CREATE_FAILED', message: expect.stringContaining('out of memory') as string };
  await expect(provider.createSession(wanted)).rejects.toMatchObject(why);
  await expect(provider.loadSession('s1', wanted)).rejects.toMatchObject(why);
  await vi.waitFor(async () => expect(await processes()).toEqual([]), 5_000);
});

test('the server stops although a Codex that is starting never answers', async () => {
  const { provider, processes, starts } = start('return;');
  const creating = provider.createSession({ projectDir, providerOptions: { modelId: 'a-model' } });
  creating.catch(() => {});
  const listing = provider.listSessions?.(projectDir);
  listing?.catch(() => {});
  await vi.waitFor(() => expect(starts()).toBe(1));
  await provider.close();
  await expect(creating).rejects.toMatchObject({ code: 'SESSION_CREATE_FAILED' });
  await expect(listing).rejects.toMatchObject({ code: 'SESSION_CREATE_FAILED' });
  await vi.waitFor(async () => expect(await processes()).toEqual([]), 5_000);
});
