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
