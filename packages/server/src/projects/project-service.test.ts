import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import { createProjectService } from './project-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'liminal-projects-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('adds a folder only once if it is added several times at once', async () => {
  let made = 0;
  const store = createMemoryStore();
  const projects = createProjectService({ store, now: () => '2026-01-01T00:00:00.000Z', newId: () => `p${++made}` });
  const added = await Promise.all(Array.from({ length: 10 }, () => projects.add(folder)));
  expect(new Set(added.map((one) => one.ok && one.value.project.projectId)).size).toBe(1);
  expect(added.filter((one) => one.ok && one.value.isNew)).toHaveLength(1);
  expect(store.projects()).toHaveLength(1);
});

test('a project that is removed and trusted at the same time stays removed', async () => {
  const store = createMemoryStore();
  const projects = createProjectService({ store, now: () => '2026-01-01T00:00:00.000Z', newId: () => 'p1' });
  await projects.add(folder);
  const [, trusted] = await Promise.all([projects.remove('p1'), projects.trust('p1', true)]);
  expect(trusted).toMatchObject({ ok: false, failure: { code: 'PROJECT_NOT_FOUND' } });
  expect(store.projects()).toMatchObject([{ removed: true, trusted: false }]);
});
