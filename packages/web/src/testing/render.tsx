import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { SessionContext, type SessionScope } from '../state/sessions/use-session.ts';
import { WorkbenchContext } from '../state/workbench/use-workbench.ts';
import { projectDir, type TestPage } from './test-page.ts';

const roots = new Set<Root>();

/** Removes everything that was rendered. */
export function unmountAll(): void {
  for (const root of roots) root.unmount();
  roots.clear();
}

/** Renders a component in the page's session, and returns a function that removes it. */
export async function render(page: TestPage, node: ReactNode, scope: Partial<SessionScope> = {}): Promise<() => void> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  roots.add(root);
  const session = { store: page.store, projectDir, projectId: 'p', agentName: 'Demo', isActive: true, ...scope };
  await act(async () =>
    root.render(
      <WorkbenchContext value={page.workbench}>
        <SessionContext value={session}>{node}</SessionContext>
      </WorkbenchContext>,
    ),
  );
  return () => {
    act(() => root.unmount());
    roots.delete(root);
    place.remove();
  };
}
