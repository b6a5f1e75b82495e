import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWorktreeServer, type WorktreeServer } from './testing/worktree-server.ts';

let all: WorktreeServer;
let outside: string;
/** A program that records its arguments and its input. */
function standIn(name: string, answer: string): void {
  const file = join(outside, 'bin', name);
  writeFileSync(
    file,
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${outside}/${name}.args"\ncat > "${outside}/${name}.input"\n${answer}\n`,
  );
  chmodSync(file, 0o755);
}
const recorded = (name: string): string => readFileSync(join(outside, name), 'utf8');
const remote = (): string => join(outside, 'remote.git');

beforeEach(async () => {
  outside = mkdtempSync(join(tmpdir(), 'liminal-remote-'));
  mkdirSync(join(outside, 'bin'));
  all = await startWorktreeServer({ env: { PATH: `${outside}/bin:/usr/bin:/bin` } });
});
afterEach(async () => {
  await all.close();
  rmSync(outside, { recursive: true, force: true });
});

const call = (worktreeId: string, what: string, body?: object) =>
  all.server.call('POST', `/api/worktrees/${worktreeId}/${what}`, body);
async function ahead(): Promise<{ worktreeId: string; folder: string }> {
  const made = await all.make({ branch: 'feature/x' });
  writeFileSync(join(made.folder, 'a.txt'), 'mine\n');
  all.repository.git('-C', made.folder, 'commit', '--quiet', '--all', '--message', 'Change a');
  return made;
}
function addRemote(): void {
  execFileSync('git', ['init', '--quiet', '--bare', remote()]);
  all.repository.git('remote', 'add', 'origin', remote());
}

it('WT-3: pushes the branch with the user’s hooks, and explains a refusal', async () => {
  const { worktreeId } = await ahead();
  expect((await call(worktreeId, 'push')).body.error.message).toContain('has no remote to push to');
  addRemote();
  const hook = join(all.repository.dir, '.git/hooks/pre-push');
  writeFileSync(hook, '#!/bin/sh\necho not today >&2\nexit 1\n');
  chmodSync(hook, 0o755);
  const refused = await call(worktreeId, 'push');
  expect(refused.body.error).toMatchObject({
    code: 'HOOK_FAILED',
    message: 'The hook pre-push rejected the push. Nothing was pushed.',
    details: { hook: 'pre-push' },
  });
  rmSync(hook);
  const pushed = await call(worktreeId, 'push');
  expect([pushed.status, pushed.body['remote']]).toEqual([200, 'origin']);
  const tip = all.repository.git('rev-parse', 'feature/x').trim();
  expect(all.repository.git('ls-remote', 'origin', 'refs/heads/feature/x')).toContain(tip);
  const other = all.repository.git('commit-tree', '-m', 'theirs', 'main^{tree}').trim();
  all.repository.git('push', '--quiet', '--force', 'origin', `${other}:refs/heads/feature/x`);
  expect((await call(worktreeId, 'push')).body.error.code).toBe('STALE');
});

it('WT-3: opens a pull request with gh after pushing, with the title as argument and the text as input', async () => {
  const { worktreeId } = await ahead();
  addRemote();
  const body = { title: 'Change "a"; rm -rf', body: 'Two\nlines' };
  const missing = await call(worktreeId, 'pull-request', body);
  expect(missing.body.error.message).toContain('Neither gh nor glab was found.');
  expect(existsSync(join(remote(), 'refs/heads/feature/x'))).toBe(false);
  standIn('gh', 'echo https://example.org/pull/7');
  const opened = await call(worktreeId, 'pull-request', body);
  expect(opened.body).toEqual({ url: 'https://example.org/pull/7' });
  expect(existsSync(join(remote(), 'refs/heads/feature/x'))).toBe(true);
  expect(recorded('gh.args').trim().split('\n')).toEqual([
    'pr',
    'create',
    '--head',
    'feature/x',
    '--base',
    'main',
    '--title',
    'Change "a"; rm -rf',
    '--body-file',
    '-',
  ]);
  expect(recorded('gh.input')).toBe('Two\nlines');
  standIn('gh', 'echo "a pull request already exists: https://example.org/pull/7" >&2; exit 1');
  expect((await call(worktreeId, 'pull-request', body)).body).toEqual({ url: 'https://example.org/pull/7' });
  standIn('gh', 'echo "To get started, please run: gh auth login" >&2; exit 4');
  expect((await call(worktreeId, 'pull-request', body)).body.error.message).toContain("gh isn't signed in.");
  standIn('gh', 'echo boom >&2; exit 1');
  expect((await call(worktreeId, 'pull-request', body)).body.error.message).toContain('It said: boom');
  expect((await call(worktreeId, 'pull-request', { title: '' })).status).toBe(400);
});

it('WT-3: pushes and opens the branch that the agent switched to, and none if it is on no branch', async () => {
  const { worktreeId, folder } = await ahead();
  addRemote();
  all.repository.git('-C', folder, 'switch', '--quiet', '--create', 'fix/x');
  all.repository.git('-C', folder, 'commit', '--quiet', '--allow-empty', '--message', 'Fix x');
  expect((await call(worktreeId, 'push')).body).toMatchObject({ branch: 'fix/x' });
  standIn('gh', 'echo https://example.org/pull/7');
  expect((await call(worktreeId, 'pull-request', { title: 'T', body: 'B' })).status).toBe(200);
  expect(recorded('gh.args')).toContain('--head\nfix/x\n');
  expect(existsSync(join(remote(), 'refs/heads/feature/x'))).toBe(false);
  all.repository.git('-C', folder, 'switch', '--quiet', '--detach');
  const refused = await call(worktreeId, 'push');
  expect(refused.body.error).toMatchObject({ code: 'NOT_SUPPORTED', message: expect.stringMatching(/^No branch is/) });
});

it('WT-3: uses glab if the remote is GitLab, and opens nothing without commits', async () => {
  const { worktreeId } = await all.make({ branch: 'empty' });
  const body = { title: 'Nothing', body: '' };
  expect((await call(worktreeId, 'pull-request', body)).body.error.code).toBe('NOTHING_TO_COMMIT');
  const made = await ahead();
  addRemote();
  all.repository.git('remote', 'set-url', 'origin', join(outside, 'gitlab.example.git'));
  execFileSync('git', ['init', '--quiet', '--bare', join(outside, 'gitlab.example.git')]);
  standIn('gh', 'exit 1');
  standIn('glab', 'echo "!3 https://gitlab.example/merge_requests/3"');
  const opened = await call(made.worktreeId, 'pull-request', { title: 'T', body: 'B' });
  expect(opened.body).toEqual({ url: 'https://gitlab.example/merge_requests/3' });
  expect(recorded('glab.args')).toContain('--description\nB\n--yes');
});
