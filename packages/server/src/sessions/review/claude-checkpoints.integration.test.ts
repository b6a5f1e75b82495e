import type { ChangesReply, Project, TurnRecord } from '@liminal/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createGit } from '../../git/real-git.ts';
import { createGitRunner, type GitRunner } from '../../git/run-git.ts';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import {
  type ClaudeUnderTest,
  patience,
  startClaudeUnderTest,
} from '../../providers/claude/testing/claude-under-test.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let claude: ClaudeUnderTest;
let repository: TestRepository;
let server: TestServer;
/** While set, git can't record anything. */
let held: { readonly command: string; readonly until: Promise<void> } | null;
/** Long enough for a busy machine. */
const patientMs = 60_000;
let recordMs = patientMs;

beforeEach(async () => {
  held = null;
  const real = createGitRunner();
  const runner: GitRunner = async (run) => {
    if (run.args[0] === held?.command) await held?.until;
    return real(run);
  };
  claude = await startClaudeUnderTest();
  repository = createTestRepository();
  repository.put('a.txt', 'one\n');
  repository.put('.gitignore', '.env\n');
  repository.put('.env', 'KEY=1\n', 0o600);
  repository.commit();
  server = await startTestServer({
    folder: repository.dir,
    git: createGit({ runner }),
    others: [claude.provider],
    limits: { recordMs },
  });
  const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
  await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
});
afterEach(async () => {
  await server.close();
  await claude.cleanup();
  repository.cleanup();
});

/** Sends a message and waits for the end of its turn. */
async function runTurn(script: string) {
  const create = {
    cliType: 'claude-code',
    projectDir: repository.dir,
    options: { modeId: 'bypassPermissions' },
    confirm: true,
  };
  const created = await server.call<{ sessionId: string }>('POST', '/api/session/create', create);
  expect(created.body).toHaveProperty('sessionId');
  const { sessionId } = created.body;
  const { turnId } = (
    await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content: script })
  ).body;
  const turns = async () =>
    (await server.call<{ turns: TurnRecord[] }>('GET', `/api/session/${sessionId}/history`)).body.turns;
  await vi.waitFor(async () => expect((await turns()).at(-1)?.state).toBe('completed'), patience);
  return { sessionId, turnId, newestTurn: async () => (await turns()).at(-1) };
}

describe('a turn of the real Claude Code', () => {
  it("CP-1 RV-9: is recorded before its first tool call, although its prompt didn't wait", async () => {
    const release = Promise.withResolvers<void>();
    held = { command: 'update-ref', until: release.promise };
    const edit = `@read ${repository.dir}/.env\n@edit ${repository.dir}/.env|KEY=1|KEY=2`;
    const running = runTurn(`@shell echo two > a.txt; echo new > new.txt\n${edit}\n@text done`);
    // The model gets the prompt before anything is recorded.
    await vi.waitFor(() => expect(claude.model.requests.length).toBeGreaterThan(0), patience);
    release.resolve();
    const { sessionId, turnId, newestTurn } = await running;
    await vi.waitFor(async () => expect((await newestTurn())?.ended?.changes).toBeDefined(), patience);
    const before = server.store.checkpoint(sessionId, turnId)?.before?.tree ?? '';
    expect(repository.git('cat-file', 'blob', `${before}:a.txt`)).toBe('one\n');
    // Ignored by git, but an edit call named it.
    expect(repository.git('cat-file', 'blob', `${before}:.env`)).toBe('KEY=1\n');
    expect((await newestTurn())?.ended?.changes).toEqual({ files: 3, additions: 3, deletions: 2 });
    const { body } = await server.call<ChangesReply>('GET', `/api/session/${sessionId}/changes?scope=turn`);
    expect([body.checkpoint, body.files.map(({ path }) => path)]).toEqual(['kept', ['.env', 'a.txt', 'new.txt']]);
  });
});

describe('a folder that takes too long to record', () => {
  beforeAll(() => {
    recordMs = 2_000;
  });
  afterAll(() => {
    recordMs = patientMs;
  });

  it('CP-1: continues without a checkpoint when recording takes longer than two seconds', async () => {
    const release = Promise.withResolvers<void>();
    held = { command: 'write-tree', until: release.promise };
    const { sessionId } = await runTurn('@shell echo two > a.txt\n@text done').finally(() => release.resolve());
    expect(repository.read('a.txt')).toBe('two\n');
    const { body } = await server.call<ChangesReply>('GET', `/api/session/${sessionId}/changes?scope=turn`);
    expect([body.source, body.checkpoint]).toEqual(['calls', 'none']);
  });
});
