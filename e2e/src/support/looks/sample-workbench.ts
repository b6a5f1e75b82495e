import type { Project, ProviderSummary, SessionHistory, SessionSummary } from '@liminal/contracts';
import { message, plan, thinking, toolCall } from '@liminal/domain/timeline/testing/messages';
import { endedTurn, inOrder, request, runningTurn } from '../samples.ts';
import { capabilities, sessionId } from '../scripted-server.ts';

/** The time of all samples. */
export const now = '2026-03-02T12:04:30.000Z';
const ago = (seconds: number): string => new Date(Date.parse(now) - seconds * 1000).toISOString();
const [minute, hour, day] = [60, 3600, 86_400];

const root = '/home/you/tracker';
export const projects: readonly Project[] = [
  { projectId: 'tracker', dir: root, name: 'tracker', trusted: true },
  { projectId: 'atlas', dir: '/home/you/atlas-web', name: 'atlas-web', trusted: false },
  { projectId: 'notes', dir: '/home/you/notes-cli', name: 'notes-cli', trusted: true },
];

const agent = (cliType: string, name: string, version: string): ProviderSummary => ({
  cliType,
  name,
  version,
  available: true,
  capabilities: { ...capabilities, forkAtTurn: true },
});
export const providers: readonly ProviderSummary[] = [
  agent('claude-code', 'Claude Code', '2.4.1'),
  agent('codex', 'Codex', '0.92.0'),
  {
    ...agent('gemini', 'Gemini CLI', '0.31.0'),
    available: false,
    reason: "Gemini CLI isn't installed. Run `npm install -g @google/gemini-cli`, then try again.",
  },
  agent('demo', 'Demo agent', '1.0.0'),
];

const session = (id: string, projectId: string, title: string, more: Partial<SessionSummary>): SessionSummary => ({
  sessionId: id,
  cliType: 'claude-code',
  projectId,
  title,
  createdAt: ago(2 * day),
  updatedAt: ago(hour),
  status: 'open',
  activity: 'idle',
  isAlive: true,
  archived: false,
  place: { kind: 'folder', folder: root, branch: 'main' },
  ...more,
});
const changed = (files: number, added: number, removed: number) => ({ files, added, removed });

const working = session(sessionId, 'tracker', 'Stop limiting the health check', {
  updatedAt: ago(8),
  activity: 'working',
  working: { since: ago(8), doing: 'npm run test:e2e' },
  place: { kind: 'folder', folder: root, branch: 'fix/health-limit' },
  ended: { id: 't1', at: ago(40), changed: changed(3, 8, 3) },
  marks: { seen: 't1' },
});

const asks = request('publish', { title: 'npm publish', toolArguments: { command: 'npm publish' } });

export const sessions: readonly SessionSummary[] = [
  working,
  session('publish', 'tracker', 'Publish 2.4.0', {
    cliType: 'codex',
    updatedAt: ago(minute),
    activity: 'waiting',
    working: { since: ago(3 * minute) },
    asks: {
      requestId: 'publish',
      kind: 'tool',
      title: 'npm publish',
      whole: 'npm publish',
      options: asks.options,
      openedAt: ago(minute),
      count: 1,
    },
  }),
  session('index', 'tracker', 'Index parcels by status', {
    updatedAt: ago(18 * minute),
    ended: { id: 'i1', at: ago(18 * minute), changed: changed(4, 118, 24) },
    place: { kind: 'folder', folder: root, branch: 'perf/parcel-index' },
  }),
  session('retry', 'tracker', 'Explain the retry queue', {
    ended: { id: 'r1', at: ago(hour) },
    marks: { seen: 'r1' },
  }),
  session('charts', 'atlas', 'Move charts to canvas', {
    cliType: 'codex',
    updatedAt: ago(26 * minute),
    isAlive: false,
    lastError: { code: 'PROCESS_CRASH', message: 'Codex exited with code 1.', at: ago(26 * minute) },
    ended: { id: 'c1', at: ago(26 * minute) },
    place: { kind: 'folder', folder: '/home/you/atlas-web', branch: 'main' },
  }),
  session('theme', 'atlas', 'Dark theme for invoices', {
    updatedAt: ago(3 * hour),
    isAlive: false,
    ended: { id: 'd1', at: ago(3 * hour), changed: changed(2, 64, 12) },
    marks: { seen: 'd1' },
  }),
  session('search', 'notes', 'Add fuzzy search', {
    updatedAt: ago(3 * day),
    isAlive: false,
    ended: { id: 'f1', at: ago(3 * day), changed: changed(5, 201, 38) },
    marks: { seen: 'f1' },
  }),
];

const oldText = `export function limit(options: LimitOptions): Handler {
  return async (req, next) => {
    const bucket = await store.get(keyOf(req));
    if (bucket.isEmpty()) return tooMany(bucket);
    return next();
  };
}
`;
const newText = `export function limit(options: LimitOptions): Handler {
  const skip = new Set(options.skip ?? ['/api/health']);
  return async (context, next) => {
    if (skip.has(context.req.path)) return next();
    const bucket = await store.get(keyOf(context));
    if (bucket.isEmpty()) return tooMany(bucket);
    return next();
  };
}
`;
export const limiterDiff = { path: `${root}/src/lib/limiter.ts`, oldText, newText };

const info: SessionHistory['info'] = {
  models: [{ id: 'opus', name: 'Opus 5.5' }],
  modelId: 'opus',
  modes: [
    { id: 'ask', name: 'Ask before edits' },
    { id: 'edits', name: 'Allow edits' },
  ],
  modeId: 'ask',
  efforts: [{ id: 'high', name: 'High' }],
  effort: 'high',
  context: { used: 76_000, size: 200_000 },
  sessionUsage: { inputTokens: 48_200, outputTokens: 6_100, cacheReadInputTokens: 310_000 },
  sessionCostUsd: 0.41,
};

const call = (id: string, toolKind: 'read' | 'search' | 'execute' | 'edit', fields: object, durationMs = 120) =>
  toolCall(id, { toolKind, durationMs, ...fields });

/** A finished turn with everything typical: thinking, reads, an edit, a command, an answer. */
const firstTurn = () =>
  inOrder('t1', [
    message('t1:0:0', {
      origin: 'user',
      content: 'Why does the rate limiter trip on the health check? Exempt it, and keep the limit for everything else.',
      sourceTimestamp: ago(80),
    }),
    thinking('t1:1:0', {
      content: 'The probe shares a bucket with real traffic.',
      sourceTimestamp: ago(79),
      emittedAt: ago(73),
    }),
    message('t1:2:0', {
      content: "The probe shares a bucket with real traffic. I'll check where the limiter is mounted.",
    }),
    call('r1', 'read', { toolName: 'Read', toolArguments: { file_path: `${root}/src/lib/limiter.ts` } }),
    call('r2', 'search', { toolName: 'Grep', toolArguments: { pattern: 'limit\\(' } }),
    call('r3', 'read', { toolName: 'Read', toolArguments: { file_path: `${root}/src/app.ts` } }),
    call('e1', 'edit', { toolName: 'Edit', toolArguments: { file_path: limiterDiff.path }, diffs: [limiterDiff] }),
    call(
      'x1',
      'execute',
      { toolName: 'Bash', toolArguments: { command: 'npm test -- limiter' }, toolOutput: '14 passed\n' },
      3400,
    ),
    message('t1:9:0', {
      content:
        "The health check no longer counts. The skip list is an option with a safe default (`src/lib/limiter.ts:14`), so other routes can opt out:\n\n```ts\napp.use('/api/*', limit({ perMinute: 60, skip: ['/api/health', '/metrics'] }));\n```",
      sourceTimestamp: ago(40),
    }),
  ]);

const secondTurn = () =>
  inOrder(
    't2',
    [
      message('t2:0:0', {
        origin: 'user',
        content: 'Good. Run the end-to-end suite against the worktree too.',
        sourceTimestamp: ago(10),
      }),
      toolCall('x2', {
        toolKind: 'execute',
        toolName: 'Bash',
        status: 'update',
        sourceTimestamp: ago(8),
        toolArguments: { command: 'npm run test:e2e' },
        toolOutput: '✓ health › 600 probes in a minute stay under the limit  1.1 s\n',
      }),
    ],
    20,
  );

const usage = { inputTokens: 12_000, outputTokens: 400, cacheReadInputTokens: 90_000 };
const ended = () => endedTurn('t1', { usage, costUsd: 0.04 });
const status = (activity: 'idle' | 'working' | 'waiting') => ({ state: 'open' as const, activity, isAlive: true });

export const histories = {
  /** A finished turn, a running one, and a queued message. */
  working: (): Partial<SessionHistory> => ({
    entries: [...firstTurn(), ...secondTurn()],
    turns: [ended(), runningTurn('t2')],
    status: status('working'),
    info,
    queue: [{ turnId: 'q1', content: 'Add a line to the changelog when the suite is green', createdAt: ago(4) }],
  }),
  ended: (): Partial<SessionHistory> => ({ entries: firstTurn(), turns: [ended()], status: status('idle'), info }),
  asking: (): Partial<SessionHistory> => ({
    entries: firstTurn().slice(0, 6),
    turns: [runningTurn('t1')],
    status: status('waiting'),
    info,
  }),
  planned: (): Partial<SessionHistory> => ({
    entries: [
      ...firstTurn(),
      ...inOrder(
        't1',
        [
          plan('t1:10:0', {
            entries: [
              { content: 'Find where the limiter is mounted', status: 'completed' },
              { content: 'Exempt the health check', status: 'in_progress' },
              { content: 'Document the new option', status: 'pending' },
            ],
          }),
        ],
        15,
      ),
    ],
    turns: [ended()],
    status: status('idle'),
    info,
  }),
  empty: (): Partial<SessionHistory> => {
    const { context: _, sessionUsage: __, sessionCostUsd: ___, ...unused } = info;
    return { status: status('idle'), info: unused };
  },
};
