import { expect, it } from 'vitest';
import type { Api } from '../../connection/api.ts';
import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import { createDirectoryStore, folderIn } from './directory-store.ts';

it('shows control characters in the name of a folder', async () => {
  const project = { projectId: 'p', dir: '/a/tx\u202eexe', name: 'tx\u202eexe', trusted: false };
  const directory = createDirectoryStore({
    project: {
      list: async () => ({ ok: true, value: { projects: [project] } }),
      add: async () => ({ ok: true, value: { ...project, projectId: 'q' } }),
    },
    workbench: { providers: async () => ({ ok: true, value: { providers: [] } }) },
  } as unknown as Api);
  await directory.refresh();
  await directory.addProject(project.dir);
  expect(directory.get().projects.map(({ name, dir }) => [name, dir])).toEqual([
    ['tx⟨U+202E⟩exe', project.dir],
    ['tx⟨U+202E⟩exe', project.dir],
  ]);
});

it('keeps the newer list of projects when an older reply arrives after it', async () => {
  const project = { projectId: 'p', dir: '/p', name: 'p', trusted: false };
  type List = ReturnType<Api['project']['list']>;
  const replies = [Promise.withResolvers<Awaited<List>>(), Promise.withResolvers<Awaited<List>>()] as const;
  const waiting = replies.map(({ promise }) => promise);
  const directory = createDirectoryStore({
    project: { list: () => waiting.shift() },
    workbench: { providers: async () => ({ ok: true, value: { providers: [] } }) },
  } as unknown as Api);
  const [older, newer] = [directory.refresh(), directory.refresh()];
  replies[1].resolve({ ok: true, value: { projects: [{ ...project, trusted: true, branch: 'main' }] } });
  await newer;
  replies[0].resolve({ ok: true, value: { projects: [project] } });
  await older;
  expect(directory.get().projects).toMatchObject([{ trusted: true, branch: 'main' }]);
});

it('keeps what the user changed when a list arrives that was requested before, and follows a later one', async () => {
  const project = (projectId: string, trusted = false) => ({ projectId, dir: '/p', name: projectId, trusted });
  type List = ReturnType<Api['project']['list']>;
  const older = Promise.withResolvers<Awaited<List>>();
  const lists = [older.promise, { ok: true, value: { projects: [project('trusted'), project('removed')] } }];
  const directory = createDirectoryStore({
    project: {
      list: async () => lists.shift(),
      trust: async () => ({ ok: true, value: {} }),
      remove: async () => ({ ok: true, value: {} }),
      add: async () => ({ ok: true, value: project('added') }),
    },
    workbench: { providers: async () => ({ ok: true, value: { providers: [] } }) },
  } as unknown as Api);
  const shown = () => directory.get().projects.map(({ projectId, trusted }) => [projectId, trusted]);
  const first = directory.refresh();
  await directory.trustProject('trusted', true);
  await directory.removeProject('removed');
  await directory.addProject('/p');
  older.resolve({ ok: true, value: { projects: [project('trusted'), project('removed')] } });
  await first;
  expect(shown()).toEqual([
    ['trusted', true],
    ['added', false],
  ]);
  await directory.refreshProjects();
  expect(shown()).toEqual([
    ['trusted', false],
    ['removed', false],
  ]);
});

it('knows where a session works: in its worktree, or else in the project’s folder', () => {
  const place = { kind: 'worktree', folder: '/trees/one', branch: 'one' } as const;
  const directory = {
    projects: [{ projectId: 'p', dir: '/project', name: 'project', trusted: true }],
    providers: [],
    sessions: new Map([
      ['s', sessionSummary({ projectId: 'p' })],
      ['w', sessionSummary({ projectId: 'p', place })],
    ]),
    cluster: null,
    loaded: true,
    failure: null,
  };
  expect(['s', 'w'].map((sessionId) => folderIn(directory, sessionId))).toEqual(['/project', '/trees/one']);
  expect(folderIn(directory, 'new', 'p')).toBe('/project');
});
