import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import { expect, it } from 'vitest';
import { terminalTab } from '../layout/tab-id.ts';
import { createTestPage, project } from '../../testing/test-page.ts';
import type { Keys } from '../../ui/keys.ts';
import { actionsOf } from './actions.ts';

const pressed = ({ code, mod, alt, shift, writes }: Keys): string =>
  writes ?? [mod && 'Mod', alt && 'Alt', shift && 'Shift', code].filter(Boolean).join('+');

const nothing = (): void => {};
const focus = { focusComposer: nothing, focusPane: nothing, focusPermission: nothing, isNarrow: () => false };

it('gives no two actions the same keys', () => {
  const { workbench } = createTestPage();
  const place = { kind: 'worktree', folder: '/w', branch: 'b', worktreeId: 'w' } as const;
  workbench.directory.update((held) => ({
    ...held,
    projects: [project()],
    sessions: new Map([['s', sessionSummary({ sessionId: 's', projectId: 'p', place })]]),
  }));
  const byKeys = Map.groupBy(
    actionsOf(workbench, focus).filter(({ keys }) => keys !== undefined),
    ({ keys }) => (keys === undefined ? '' : pressed(keys)),
  );
  expect(byKeys.size).toBeGreaterThan(20);
  const shared = [...byKeys].filter(([, actions]) => actions.length > 1);
  expect(shared.map(([keys, actions]) => [keys, ...actions.map(({ id }) => id)])).toEqual([]);
});

it.each(['inbox', 'comparison'])('acts on no session or tab that the %s covers', (cover) => {
  const { workbench } = createTestPage();
  const { comparing, directory, panels, tabs } = workbench;
  const place = { kind: 'worktree', folder: '/w', branch: 'b', worktreeId: 'w' } as const;
  directory.update((held) => ({
    ...held,
    projects: [project(), project({ projectId: 'q' })],
    sessions: new Map([
      ['s', sessionSummary({ activity: 'waiting', place })],
      ['s1', sessionSummary({ sessionId: 's1' })],
    ]),
  }));
  tabs.show('s1');
  tabs.show('s');
  tabs.showBeside('s1');
  tabs.show('s');
  const possible = (): string[] => actionsOf(workbench, focus).flatMap((each) => (each.isPossible ? [each.id] : []));
  const before = possible();
  if (cover === 'inbox') panels.inbox.set(true);
  else comparing.shown.set({ compareId: 'c', comparison: null, failure: null });
  const during = possible();
  const still = ['new-session', 'next-waiting', 'inbox', 'search', 'next-tab', 'previous-tab', 'tab-list', 'palette'];
  expect(during).toEqual(expect.arrayContaining([...still, 'sidebar', 'terminal', 'home', 'settings', 'shortcuts']));
  const covered = [
    'move-tab-right move-tab-left beside other-side close-other-tabs close-tab',
    'composer permission find previous-message next-message quote start inspector review files bring-back park',
    'rename archive delete export-md export-html export-json',
  ];
  expect(new Set(before).difference(new Set(during))).toEqual(new Set(covered.join(' ').split(' ')));
  if (cover === 'inbox') panels.inbox.set(false);
  else comparing.shown.set(null);
  expect(possible()).toEqual(before);
});

it('moves no terminal out of a tab that the inbox covers', () => {
  const { workbench } = createTestPage();
  workbench.tabs.show(terminalTab('t'));
  const isPossible = (): boolean | undefined =>
    actionsOf(workbench, focus).find(({ id }) => id === 'move-terminal')?.isPossible;
  expect(isPossible()).toBe(true);
  workbench.panels.inbox.set(true);
  expect(isPossible()).toBe(false);
});

it('renames the active session in a dialog', () => {
  const { workbench } = createTestPage();
  workbench.directory.update((held) => ({ ...held, sessions: new Map([['s', sessionSummary()]]) }));
  actionsOf(workbench, focus)
    .find(({ id }) => id === 'rename')
    ?.run();
  expect(workbench.panels.front.get()).toEqual({ name: 'rename', sessionId: 's' });
});
