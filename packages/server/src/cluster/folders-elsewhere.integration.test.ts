import type { ChangesReply, CommentsReply, Project } from '@liminal/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestRepository, type TestRepository } from '../git/testing/test-repository.ts';
import { patience } from '../reliability/testing/torture.ts';
import { startTestCluster, type TestCluster, type TestNode } from './testing/test-cluster.ts';

let repository: TestRepository;
let cluster: TestCluster;
let [owner, other] = [] as unknown as [TestNode, TestNode];
let projectId: string;
let sessionId: string;

beforeAll(async () => {
  repository = createTestRepository();
  repository.put('a.txt', 'one\n');
  repository.commit();
  cluster = await startTestCluster(0);
  owner = await cluster.add({ folder: repository.dir });
  other = await cluster.add();
  ({ projectId } = (await owner.call<Project>('POST', '/api/projects', { dir: repository.dir })).body);
  await owner.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
  sessionId = await owner.newSession();
  await cluster.settled();
  await vi.waitFor(() => expect(other.cluster.directory.projectNode(projectId)).toBeDefined(), patience);
  repository.put('a.txt', 'two\n');
});
afterAll(async () => {
  await cluster.close();
  repository.cleanup();
});

describe('a folder on another machine', () => {
  it('G-8: lists, comments on, stages and commits changes there', async () => {
    const of = `/api/session/${sessionId}`;
    const listed = await other.call<ChangesReply>('GET', `${of}/changes?scope=uncommitted`);
    expect(listed.body).toMatchObject({ source: 'git', folder: repository.dir, files: [{ path: 'a.txt' }] });
    const comment = { scope: 'uncommitted', path: 'a.txt', side: 'new', startLine: 1, endLine: 1, text: 'Why two?' };
    expect((await other.call('POST', `${of}/comments`, comment)).status).toBe(201);
    const kept = await owner.call<CommentsReply>('GET', `${of}/comments`);
    expect(kept.body.comments).toMatchObject([{ text: 'Why two?', quote: 'two\n' }]);
    expect((await other.call('POST', `${of}/stage`, { paths: ['a.txt'] })).status).toBe(200);
    expect((await other.call('POST', `${of}/commit`, { message: 'Say two' })).status).toBe(200);
    expect(repository.git('log', '-1', '--format=%s').trim()).toBe('Say two');
  });

  it.each([
    ['GET', 'tree?path=', undefined],
    ['GET', 'file?path=a.txt', undefined],
    ['DELETE', 'file?path=a.txt', undefined],
    ['POST', 'file/move', { from: 'a.txt', to: 'b.txt' }],
    ['POST', 'grep', { query: 'two' }],
    ['GET', 'terminals', undefined],
    ['POST', 'terminals', {}],
    ['GET', 'worktrees', undefined],
    ['POST', 'worktrees', {}],
    ['GET', 'settings', undefined],
    ['POST', 'trust', { trusted: false }],
  ] as const)('G-8: answers %s %s with a link to the page of that machine', async (method, path, body) => {
    const { status, body: reply } = await other.call<unknown>(method, `/api/projects/${projectId}/${path}`, body);
    expect(status).toBe(409);
    const url = other.cluster.view().nodes.find(({ name }) => name === owner.name)?.address;
    expect(url).toContain(String(owner.port));
    expect(reply).toMatchObject({
      error: {
        code: 'NOT_SUPPORTED',
        message: `This folder is on ${owner.name}. Do this on the page of that machine: ${url}`,
        details: { url },
      },
    });
  });

  it('G-8: compares agents only on that machine', async () => {
    const body = { projectId, content: 'Say three', candidates: [{ cliType: 'scripted' }, { cliType: 'scripted' }] };
    expect(await other.call('POST', '/api/compare', body)).toMatchObject({
      status: 409,
      body: { error: { code: 'NOT_SUPPORTED' } },
    });
  });
});
