import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Comparison, Project, RewindPlanReply, SessionHistory, Worktree } from '@liminal/contracts';
import { vi } from 'vitest';
import type { TestServer } from '../../testing/test-server.ts';
import { folderState } from '../../worktrees/testing/folder-state.ts';
import { makeOddWork } from '../../worktrees/testing/odd-work.ts';
import { patience } from './torture.ts';
import { perform, type WorkIds } from './work-main.ts';
import { readRecords, startWorkWorld } from './work-world.ts';

export type BuiltWork = { readonly ids: WorkIds; readonly projectId: string; readonly odd: unknown };

const gitIn = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd }).toString();

/** A user's work: turns to rewind, a rewind to undo, worktrees to park, restore and merge, and two comparisons. */
export async function buildWork(folder: string): Promise<BuiltWork> {
  rmSync(folder, { recursive: true, force: true });
  const repository = join(folder, 'repository');
  const put = (path: string, content: string): void => {
    mkdirSync(join(repository, path, '..'), { recursive: true });
    writeFileSync(join(repository, path), content);
  };
  mkdirSync(repository, { recursive: true });
  gitIn(repository, 'init', '--quiet', '--initial-branch=main');
  gitIn(repository, 'config', 'user.name', 'Ada');
  gitIn(repository, 'config', 'user.email', 'ada@example.org');
  put('.gitignore', '.env\nnode_modules/\n');
  for (const name of ['a.txt', 'b.txt', 'src/b.txt', 'u.txt']) put(name, `${name}\n`);
  for (let place = 0; place < 40; place += 1) put(`many/${place}.txt`, `${place}\n`);
  gitIn(repository, 'add', '--all');
  gitIn(repository, 'commit', '--quiet', '--message', 'first');

  const server = await startWorkWorld(folder);
  const added = await server.call<Project>('POST', '/api/projects', { dir: repository });
  const { projectId } = added.body;
  await server.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
  const turn = turnsOn(server);
  const make = async (branch: string): Promise<Worktree> => {
    const body = { branch };
    const made = await server.call<{ worktreeId: string }>('POST', `/api/projects/${projectId}/worktrees`, body);
    const read = async () => (await server.call<Worktree>('GET', `/api/worktrees/${made.body.worktreeId}`)).body;
    return vi.waitUntil(async () => ((await read()).state === 'ready' ? read() : false), patience);
  };
  const compare = (path: string): Promise<Comparison> => comparisonOn(server, projectId, path);

  // This moves the base, so it comes first: it can be undone only while nothing else has moved the base.
  const kept = await compare('kept.txt');
  const [winner] = kept.candidates;
  const keep = { candidateId: winner?.candidateId, merge: 'merge' };
  await server.call('POST', `/api/compare/${kept.compareId}/keep`, keep);
  const open = await compare('many/1.txt');

  const toUndo = await server.newSession();
  const undone = await turn(toUndo, () => put('u.txt', 'by the agent\n'));
  const planned = await server.call<RewindPlanReply>('POST', `/api/session/${toUndo}/rewind/plan`, { turnId: undone });
  const rewound = await server.call<{ rewindId: string }>('POST', `/api/session/${toUndo}/rewind`, {
    turnId: undone,
    planId: planned.body.planId,
  });
  const toRewind = await server.newSession();
  await turn(toRewind, () => put('b.txt', 'stays\n'));
  const first = await turn(toRewind, () => put('a.txt', 'changed\n'));
  await turn(toRewind, () => put('made/c.txt', 'made\n'));

  const [park, restore, merge] = [await make('to-park'), await make('to-restore'), await make('to-merge')];
  for (const worktree of [park, restore]) makeOddWork(worktree.folder);
  const odd = { park: folderState(park.folder), restore: folderState(restore.folder) };
  for (let place = 0; place < 40; place += 2) writeFileSync(join(merge.folder, `many/${place}.txt`), 'merged\n');
  gitIn(merge.folder, 'commit', '--quiet', '--all', '--message', 'to be merged');
  const ids: WorkIds = {
    rewound: { sessionId: toRewind, turnId: first },
    undone: { sessionId: toUndo, rewindId: rewound.body.rewindId },
    park: park.worktreeId,
    restore: restore.worktreeId,
    merge: merge.worktreeId,
    keep: { compareId: open.compareId, candidateId: open.candidates[0]?.candidateId ?? '' },
    undoKeep: kept.compareId,
  };
  await perform(server, 'park', { ...ids, park: restore.worktreeId });
  await server.close();
  return { ids, projectId, odd };
}

/** Runs a turn in which the agent does `work`. */
const turnsOn =
  (server: TestServer) =>
  async (sessionId: string, work: () => void): Promise<string> => {
    const { provider, store } = server;
    const sent = await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content: 'do it' });
    const { turnId } = sent.body;
    await vi.waitUntil(() => provider.sent.some(({ options }) => options?.turnId === turnId), patience);
    provider.start(sessionId);
    work();
    provider.end(sessionId);
    await vi.waitUntil(() => store.checkpoint(sessionId, turnId)?.after, patience);
    return turnId;
  };

/** A comparison whose two candidates each wrote a file. */
async function comparisonOn(server: TestServer, projectId: string, path: string): Promise<Comparison> {
  const { provider } = server;
  const candidates = [{ cliType: 'scripted' }, { cliType: 'scripted' }];
  const created = await server.call<{ compareId: string }>('POST', '/api/compare', {
    projectId,
    content: `Write ${path}`,
    candidates,
  });
  const { compareId } = created.body;
  const read = async () => (await server.call<Comparison>('GET', `/api/compare/${compareId}`)).body;
  for (const each of (await read()).candidates.keys()) {
    const sessionId = await vi.waitUntil(async () => (await read()).candidates[each]?.sessionId, patience);
    await vi.waitUntil(() => provider.sent.some((sent) => sent.sessionId === sessionId), patience);
    const { worktreeId = '' } = (await read()).candidates[each] ?? {};
    const { folder } = (await server.call<Worktree>('GET', `/api/worktrees/${worktreeId}`)).body;
    provider.start(sessionId);
    writeFileSync(join(folder, path), `candidate ${each}\n`);
    provider.end(sessionId);
  }
  return vi.waitUntil(async () => {
    const found = await read();
    return found.candidates.every(({ state, changes }) => state === 'done' && changes) && found;
  }, patience);
}

/** All of a user's work as the next server finds it. Parked work is compared after it is restored. */
export async function workState(server: TestServer, folder: string, { ids, odd }: BuiltWork): Promise<unknown> {
  const { call, store } = server;
  const repository = join(folder, 'repository');
  const settled = (): boolean =>
    store.worktrees().every(({ state, step }) => step === null && (state === 'ready' || state === 'parked'));
  const turnsOf = async (sessionId: string) =>
    (await call<SessionHistory>('GET', `/api/session/${sessionId}/history`)).body.turns.map(({ turnId }) => turnId);
  const keptOf = async (compareId: string) => {
    const { kept } = (await call<Comparison>('GET', `/api/compare/${compareId}`)).body;
    return kept
      ? { candidateId: kept.candidateId, isMerged: kept.commit !== undefined, error: kept.error ?? null }
      : null;
  };
  const kept = [await keptOf(ids.keep.compareId), await keptOf(ids.undoKeep)];
  await vi.waitUntil(settled, patience);
  const worktrees = store.worktrees().map(({ branch, state }) => `${branch} ${state}`);
  const { files, git } = folderState(repository);
  const sessions = [ids.rewound.sessionId, ids.undone.sessionId];
  const state = {
    kept,
    worktrees,
    files,
    index: git[1],
    log: gitIn(repository, 'log', '--format=%s %T', 'main'),
    turns: await Promise.all(sessions.map(turnsOf)),
    bound: sessions.map((sessionId) =>
      readRecords(folder).bound[sessionId]?.map((id) => id.replace(/^copy-\d+/, 'copy')),
    ),
    isConnected: !/missing|broken|corrupt/.test(gitIn(repository, 'fsck', '--no-progress', '--connectivity-only')),
  };
  const oddNow: Record<string, unknown> = {};
  for (const name of ['park', 'restore'] as const) {
    const worktree = (await call<Worktree>('GET', `/api/worktrees/${ids[name]}`)).body;
    if (worktree.state === 'parked') await call('POST', `/api/worktrees/${ids[name]}/restore`);
    oddNow[name] = folderState(worktree.folder);
  }
  return { ...state, isWorkWhole: JSON.stringify(oddNow) === JSON.stringify(odd) };
}
