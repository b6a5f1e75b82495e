import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import { expect, it } from 'vitest';
import { createTestPage, project } from '../../testing/test-page.ts';
import type { Keys } from '../../ui/keys.ts';
import { actionsOf } from './actions.ts';

const pressed = ({ code, mod, alt, shift, writes }: Keys): string =>
  writes ?? [mod && 'Mod', alt && 'Alt', shift && 'Shift', code].filter(Boolean).join('+');

it('gives no two actions the same keys', () => {
  const { workbench } = createTestPage();
  const place = { kind: 'worktree', folder: '/w', branch: 'b', worktreeId: 'w' } as const;
  workbench.directory.update((held) => ({
    ...held,
    projects: [project()],
    sessions: new Map([['s', sessionSummary({ sessionId: 's', projectId: 'p', place })]]),
  }));
  const nothing = (): void => {};
  const focus = { focusComposer: nothing, focusPane: nothing, focusPermission: nothing, isNarrow: () => false };
  const byKeys = Map.groupBy(
    actionsOf(workbench, focus).filter(({ keys }) => keys !== undefined),
    ({ keys }) => (keys === undefined ? '' : pressed(keys)),
  );
  expect(byKeys.size).toBeGreaterThan(20);
  const shared = [...byKeys].filter(([, actions]) => actions.length > 1);
  expect(shared.map(([keys, actions]) => [keys, ...actions.map(({ id }) => id)])).toEqual([]);
});
