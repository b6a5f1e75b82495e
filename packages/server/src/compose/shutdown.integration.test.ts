import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Comparison, ComparisonSummary, Project } from '@liminal/contracts';
import { type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createTestRepository, type TestRepository } from '../git/testing/test-repository.ts';
import { createApi } from '../reliability/testing/api.ts';

let repository: TestRepository;
let dataDir: string;
let program: Program;
beforeEach(() => {
  repository = createTestRepository();
  repository.put('a.txt', 'one\n');
  repository.commit();
  dataDir = mkdtempSync(join(tmpdir(), 'liminal-data-'));
});
afterEach(async () => {
  await program.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
  repository.cleanup();
});
const start = async () => {
  program = startProgram({ dataDir });
  return createApi(await program.ready);
};

it('CM-3: shuts down cleanly while the setup command of a candidate runs, and the candidate can start again', async () => {
  const api = await start();
  const { projectId } = (await api.call<Project>('POST', '/api/projects', { dir: repository.dir })).body;
  await api.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
  const setupCommand = `touch "$LIMINAL_SOURCE/.git/setup-runs"; sleep 300`;
  await api.call('PUT', `/api/projects/${projectId}/settings`, { setupCommand });
  const candidates = [{ cliType: 'demo' }, { cliType: 'demo' }];
  const body = { projectId, content: 'Add a greeting', candidates };
  const { compareId } = (await api.call<ComparisonSummary>('POST', '/api/compare', body)).body;
  await vi.waitUntil(() => existsSync(join(repository.dir, '.git/setup-runs')), { timeout: 60_000 });

  program.child.kill('SIGINT');
  // A shutdown that hangs ends with 1 after nine seconds.
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1);

  const again = await start();
  const found = (await again.call<Comparison>('GET', `/api/compare/${compareId}`)).body;
  const error = 'The server stopped while this candidate was starting. Start it again.';
  expect(found.candidates).toMatchObject([
    { state: 'failed', canRetry: true, error },
    { state: 'failed', canRetry: true, error },
  ]);
});
