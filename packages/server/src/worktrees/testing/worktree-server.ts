import type { Project, Worktree } from '@liminal/contracts';
import { vi } from 'vitest';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing/test-server.ts';

export type WorktreeServer = {
  readonly repository: TestRepository;
  readonly server: TestServer;
  readonly projectId: string;
  /** Creates a worktree and waits until it is done. */
  make(body?: object): Promise<Worktree>;
  read(worktreeId: string): Promise<Worktree>;
  list(): Promise<Worktree[]>;
  settings(body: object): Promise<void>;
  /** A session in a new worktree. */
  session(
    place?: object,
  ): Promise<{ sessionId: string; place: { folder: string; branch: string; worktreeId: string } }>;
  close(): Promise<void>;
};

/** A server with one trusted repository that has a commit. */
export async function startWorktreeServer(
  options: TestServerOptions & { repository?: TestRepository } = {},
): Promise<WorktreeServer> {
  const repository = options.repository ?? createTestRepository();
  if (!options.repository) {
    repository.put('a.txt', 'one\ntwo\n');
    repository.put('src/b.txt', 'b\n');
    repository.put('.gitignore', '.env\nnode_modules/\nbig/\n');
    repository.commit();
  }
  const server = await startTestServer({ folder: repository.dir, env: { PATH: process.env['PATH'] }, ...options });
  const added = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
  const { projectId } = added.body;
  await server.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
  const read = async (worktreeId: string) => (await server.call<Worktree>('GET', `/api/worktrees/${worktreeId}`)).body;
  return {
    repository,
    server,
    projectId,
    read,
    async make(body = {}) {
      const made = await server.call<{ worktreeId: string }>('POST', `/api/projects/${projectId}/worktrees`, body);
      if (made.status !== 202) throw new Error(JSON.stringify(made.body));
      return vi.waitUntil(
        async () => {
          const worktree = await read(made.body.worktreeId);
          return worktree.state !== 'creating' && worktree.state !== 'setup' && worktree;
        },
        { timeout: 60_000 },
      );
    },
    async list() {
      const listed = await server.call<{ worktrees: Worktree[] }>('GET', `/api/projects/${projectId}/worktrees`);
      if (listed.status !== 200) throw new Error(JSON.stringify(listed.body));
      return listed.body.worktrees;
    },
    async settings(body) {
      await server.call('PUT', `/api/projects/${projectId}/settings`, body);
    },
    async session(place = { kind: 'worktree' }) {
      const body = { cliType: 'scripted', projectId, place };
      const made = await server.call<Awaited<ReturnType<WorktreeServer['session']>>>(
        'POST',
        '/api/session/create',
        body,
      );
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return made.body;
    },
    async close() {
      await server.close();
      if (!options.repository) repository.cleanup();
    },
  };
}
