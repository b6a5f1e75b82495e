import {
  type ChangedFile,
  type ChangesReply,
  type Preferences,
  type TreeEntry,
  usualCheckpointLimits,
  usualRetention,
  type Worktree,
} from '@liminal/contracts';
import { parseHunks } from '@liminal/domain/review/parse-hunks';
import { type ScriptedServer, sessionId } from '../scripted-server.ts';
import { limiterDiff } from './sample-workbench.ts';

const folder = '/home/you/tracker';

const changed = (path: string, more: Partial<ChangedFile>): ChangedFile => ({
  path,
  change: 'modified',
  additions: 4,
  deletions: 2,
  binary: false,
  size: 400,
  bySession: true,
  staged: 'no',
  oldId: `old ${path}`,
  newId: `new ${path}`,
  ...more,
});

const changes: ChangesReply = {
  source: 'git',
  notices: [],
  folder,
  branch: 'fix/health-limit',
  checkpoint: 'kept',
  total: 3,
  truncated: false,
  files: [
    changed('src/lib/limiter.ts', {}),
    changed('test/limiter.test.ts', { change: 'added', additions: 3, deletions: 0, oldId: null }),
    changed('docs/limits.md', { bySession: false, additions: 1, deletions: 1, staged: 'yes' }),
  ],
  notKept: [],
};

const patches: Readonly<Record<string, string>> = {
  'src/lib/limiter.ts': `--- a/src/lib/limiter.ts
+++ b/src/lib/limiter.ts
@@ -1,7 +1,9 @@
 export function limit(options: LimitOptions): Handler {
-  return async (req, next) => {
-    const bucket = await store.get(keyOf(req));
+  const skip = new Set(options.skip ?? ['/api/health']);
+  return async (context, next) => {
+    if (skip.has(context.req.path)) return next();
+    const bucket = await store.get(keyOf(context));
     if (bucket.isEmpty()) return tooMany(bucket);
     return next();
   };
 }
`,
  'test/limiter.test.ts': `--- /dev/null
+++ b/test/limiter.test.ts
@@ -0,0 +1,3 @@
+it('lets the health check through', async () => {
+  for (const _ of Array(600)) expect(await probe('/api/health')).toBe(200);
+});
`,
  'docs/limits.md': `--- a/docs/limits.md
+++ b/docs/limits.md
@@ -3,3 +3,3 @@
 ## Limits
 
-Every route has a limit of 60 requests a minute.
+Every route but the health check has a limit of 60 requests a minute.
`,
};

/** Changes of a folder with a comment on one of them. */
export function answerChanges(server: ScriptedServer): void {
  server.answer('/changes', changes);
  server.answer('/changes/file', (query: URLSearchParams) => {
    const path = query.get('path') ?? '';
    const { oldId = null, newId = null } = changes.files.find((file) => file.path === path) ?? {};
    const patch = patches[path] ?? '';
    return { path, oldId, newId, patch, hunks: parseHunks(patch), binary: false, tooLarge: false };
  });
  const quote = '    if (skip.has(context.req.path)) return next();';
  const at = '2026-01-01T00:00:00.000Z';
  const comment = { scope: 'session', path: 'src/lib/limiter.ts', side: 'new', startLine: 4, endLine: 4, quote };
  const text = 'Compare the whole path, or /api/health-data is exempt too.';
  server.answer('/comments', {
    comments: [{ commentId: 'c1', ...comment, text, state: 'draft', outdated: false, createdAt: at }],
  });
}

export function answerNoChanges(server: ScriptedServer): void {
  server.answer('/changes', { ...changes, total: 0, files: [] });
  server.answer('/comments', { comments: [] });
}

const entry = (path: string, kind: TreeEntry['kind'], more: Partial<TreeEntry> = {}): TreeEntry => ({
  name: path.split('/').at(-1) ?? '',
  path,
  kind,
  ...more,
});

/** A folder with files, one of which can be read. */
export function answerFiles(server: ScriptedServer): void {
  const entries = [
    entry('docs', 'folder', { change: 'modified' }),
    entry('src', 'folder', { change: 'modified' }),
    entry('node_modules', 'folder', { ignored: true }),
    entry('limiter.ts', 'file', { change: 'modified' }),
    entry('package.json', 'file'),
    entry('README.md', 'file'),
  ];
  server.answer('/tree', { entries, truncated: false });
  const content = limiterDiff.newText;
  const read = { eol: 'lf', bom: false, binary: false, readOnly: false, etag: 'e', size: content.length };
  server.answer('/file', { path: 'limiter.ts', content, ...read });
  server.answer('/file/draft', { draft: null });
}

const worktree = (worktreeId: string, branch: string, more: Partial<Worktree>): Worktree => ({
  worktreeId,
  projectId: 'tracker',
  sessionId: null,
  folder: `/home/you/.local/share/liminal/worktrees/${worktreeId}`,
  branch,
  base: 'main',
  state: 'ready',
  dirty: false,
  ahead: 0,
  size: 48_000_000,
  lastUsed: '2026-01-01T00:00:00.000Z',
  ...more,
});

export function answerWorktrees(server: ScriptedServer): void {
  const worktrees = [
    worktree('w1', 'liminal/index-parcels', { ahead: 2, dirty: true }),
    worktree('w2', 'liminal/dark-theme', { state: 'parked', size: 0 }),
    worktree('w3', 'hotfix', { state: 'foreign', size: null }),
  ];
  server.answer('/worktrees', { worktrees });
}

/** A worktree that can be merged, or one whose base changed the same lines. */
export function answerBringBack(server: ScriptedServer, hasConflict: boolean): void {
  server.answer('/worktrees/w1', worktree('w1', 'liminal/index-parcels', { sessionId }));
  const branches = ['main', 'release/2.4', 'liminal/index-parcels'].map((name) => ({ name, current: name === 'main' }));
  server.answer('/branches', { branches, base: 'main' });
  const files = ['src/lib/limiter.ts', 'src/routes/health.ts', 'test/limiter.test.ts'];
  const error = { code: 'CONFLICT', message: 'Both changed the same lines.', details: { files, dirty: false } };
  const subjects = ['Test the limiter without a clock', 'Stop limiting the health check'];
  if (hasConflict) server.answer('/merge', { error }, 409);
  else server.answer('/merge', { commits: 2, subjects, files, fastForward: false, dirty: true });
}

export function answerPark(server: ScriptedServer): void {
  server.answer('/worktrees/w1', worktree('w1', 'liminal/index-parcels', { sessionId }));
  const notKept = [
    { path: 'node_modules/', size: 412_000_000 },
    { path: 'data/local.db', size: 36_000_000 },
  ];
  server.answer('/park', { notKept });
}

export function answerRewind(server: ScriptedServer): void {
  server.answer('/rewind/plan', {
    planId: 'plan',
    turns: 1,
    restore: [
      { path: 'src/lib/limiter.ts', change: 'modified', selected: true },
      { path: 'test/limiter.test.ts', change: 'deleted', selected: true },
    ],
    merge: ['src/app.ts'],
    foreign: [{ path: 'docs/limits.md', reason: 'You changed it after this turn.' }],
    lost: ['1 command ran. What it did outside this folder stays.'],
    counts: {
      'src/lib/limiter.ts': { added: 2, removed: 4 },
      'test/limiter.test.ts': { added: 0, removed: 3 },
      'src/app.ts': { added: 1, removed: 1 },
      'docs/limits.md': { added: 1, removed: 1 },
    },
    keeps: null,
  });
}

export function answerSettings(server: ScriptedServer): void {
  const commands = [{ name: 'Dev server', command: 'npm run dev' }];
  const written = { setupCommand: '', checkCommand: 'npm run check', worktreeFolder: '', defaultPlace: 'worktree' };
  server.answer('/settings', { ...written, commands });
  const entries: TreeEntry[] = [{ name: 'package-lock.json', path: 'package-lock.json', kind: 'file' }];
  server.answer('/tree', { entries, truncated: false });
}

/** The page's own settings. */
export function answerPreferences(server: ScriptedServer): void {
  server.answer('/api/preferences', {
    agentEnv: ['DATABASE_URL'],
    startedWith: [],
    retention: usualRetention,
    checkpoints: usualCheckpointLimits,
  } satisfies Preferences);
  server.answer('/api/checkpoints', { repositories: [] });
  server.answer('/api/webhooks', { webhooks: [] });
}
