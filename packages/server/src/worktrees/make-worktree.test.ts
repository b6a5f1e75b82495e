import { PassThrough } from 'node:stream';
import { fail, ok, type ProjectSettings } from '@liminal/contracts';
import { expect, it, vi } from 'vitest';
import type { AgentProcess } from '../processes/spawn-agent.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import { createWorktreeMaker } from './make-worktree.ts';
import type { WorktreeDeps } from './worktree-deps.ts';
import { createWorktreeTable } from './worktree-table.ts';

const row: WorktreeRow = {
  worktreeId: 'w',
  projectId: 'p',
  sessionId: null,
  root: '/data/w',
  folder: '/data/w',
  branch: 'fix',
  base: 'main',
  baseCommit: 'c',
  state: 'creating',
  step: null,
  error: null,
  notice: null,
  setup: null,
  park: null,
  size: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsed: '2026-01-01T00:00:00.000Z',
};

/** A program that prints one line and then runs until it is stopped. */
function hangingProgram(): Pick<AgentProcess, 'stdin' | 'stdout' | 'exited' | 'kill'> {
  const ended = Promise.withResolvers<Awaited<AgentProcess['exited']>>();
  const stdout = new PassThrough();
  stdout.write('waiting for a lock\n');
  const kill = async (): Promise<void> => ended.resolve({ code: null, signal: 'SIGKILL' } as never);
  return { stdin: new PassThrough(), stdout, exited: ended.promise, kill } as never;
}

it('WT-2: stops a setup command that hangs, and reports its output and what to do', async () => {
  const table = createWorktreeTable(createMemoryStore());
  const deps = {
    settings: { get: () => ({ setupCommand: 'make deps' }) as ProjectSettings },
    projects: { get: () => ok({ dir: '/p', trusted: true }) },
    env: () => ({}),
    spawner: { spawn: async () => hangingProgram() },
    setupMs: 20,
  } as unknown as WorktreeDeps;
  const { signal } = new AbortController();
  const made = await createWorktreeMaker(deps, table).setUp(row, { signal, startAnyway: signal });
  const message = 'The setup command took too long and was stopped. Read its output, then fix it or start anyway.';
  const output = 'waiting for a lock\n';
  expect(made).toEqual(fail('SESSION_CREATE_FAILED', message, { worktreeId: 'w', output }));
  expect(table.find('w')).toMatchObject({ ok: true, value: { state: 'failed', error: message, setup: { output } } });
});

it('G-1: doesn’t run the setup command if the trust was revoked while the files were written', async () => {
  const table = createWorktreeTable(createMemoryStore());
  const spawn = vi.fn(async () => hangingProgram());
  const deps = {
    settings: { get: () => ({ setupCommand: 'make deps' }) as ProjectSettings },
    projects: { get: () => ok({ name: 'p', dir: '/p', trusted: false }) },
    env: () => ({}),
    spawner: { spawn },
    setupMs: 20,
  } as unknown as WorktreeDeps;
  const { signal } = new AbortController();
  const made = await createWorktreeMaker(deps, table).setUp(row, { signal, startAnyway: signal });
  expect(made).toMatchObject({ failure: { code: 'PROJECT_NOT_TRUSTED', details: { worktreeId: 'w' } } });
  expect(table.find('w')).toMatchObject({ ok: true, value: { state: 'failed', setup: { command: 'make deps' } } });
  expect(spawn).not.toHaveBeenCalled();
});
