import { expect, it } from 'vitest';
import type { Api } from '../../connection/api.ts';
import { createDirectoryStore } from './directory-store.ts';

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
