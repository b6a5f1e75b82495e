import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Panel } from './panel-store.ts';

/** Doesn't compile until it names every panel. */
const panels: Readonly<Record<Panel['name'], true>> = {
  palette: true,
  shortcuts: true,
  settings: true,
  'add-project': true,
  'new-session': true,
  trust: true,
  discover: true,
  'remove-project': true,
  worktrees: true,
  comparisons: true,
  'project-settings': true,
  'bring-back': true,
  park: true,
  'delete-session': true,
  rename: true,
  fork: true,
  rewind: true,
};

it('has no panel that nothing opens', () => {
  const source = path.resolve(import.meta.dirname, '../..');
  const opened = globSync('**/*.{ts,tsx}', { cwd: source })
    .filter((file) => !/\.test\.tsx?$|(?:^|\/)testing\//.test(file))
    .flatMap((file) => [
      ...readFileSync(path.join(source, file), 'utf8').matchAll(/\bpanels\.open\(\{\s*name: '([^']+)'/g),
    ])
    .map(([, name]) => name);
  const unopened = Object.keys(panels).filter((name) => !opened.includes(name));
  expect(unopened, "Open these with `panels.open({ name: '…' })`, such as in state/workbench/actions.ts.").toEqual([]);
});
