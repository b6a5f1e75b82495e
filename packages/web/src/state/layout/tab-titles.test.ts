import { expect, it } from 'vitest';
import type { Project, TerminalSummary } from '@liminal/contracts';
import { fileTab, reviewTab, terminalTab } from './tab-id.ts';
import { tabTitles } from './tab-titles.ts';

const deps = {
  placeOf: (sessionId: string) => ({ title: `Title of ${sessionId}`, projectId: 'p' }),
  projects: [{ projectId: 'p', dir: '/work/shop', name: 'shop', trusted: true } as Project],
  terminals: [
    { terminalId: 't1', title: 'bash' },
    { terminalId: 't2', title: 'bash' },
  ] as TerminalSummary[],
};
const shown = (...open: string[]): string[] =>
  tabTitles(open, deps).map(({ title, mark }) => (mark === '' ? title : `${title} · ${mark}`));

it('describes what each kind of tab shows', () => {
  expect(shown('s', reviewTab('s'), fileTab('s', 'src/app.ts'), fileTab('s', ''), terminalTab('t1'))).toEqual([
    'Title of s',
    'Review: Title of s',
    'app.ts',
    'Files · shop',
    'bash',
  ]);
});

it('distinguishes files of one name by their folders, and terminals by numbers', () => {
  expect(shown(fileTab('s', 'a/index.ts'), fileTab('s', 'b/c/index.ts'), fileTab('s', 'other.ts'))).toEqual([
    'index.ts · a',
    'index.ts · b/c',
    'other.ts',
  ]);
  expect(shown(terminalTab('t1'), terminalTab('t2'))).toEqual(['bash · 1', 'bash · 2']);
});
