import { expect, it, vi } from 'vitest';
import { createTestPage } from '../../testing/test-page.ts';
import { terminalTab } from '../layout/tab-id.ts';

it('works in a session under its new id if it began while a terminal was active', async () => {
  const page = createTestPage();
  await page.list([]);
  const { newSessions, outgoing, tabs, activeSession } = page.workbench;
  page.answer('session.create', { ok: true, value: { sessionId: 'begun', cliType: 'demo', projectId: 'p' } });
  const id = newSessions.open({ projectId: 'p', cliType: 'demo' });
  tabs.show(id);
  tabs.show(terminalTab('t'), id);
  expect(activeSession()).toBe(id);
  const seen: Array<string | null> = [];
  tabs.subscribe(() => seen.push(activeSession()));
  outgoing.send(id, 'Hello');
  await vi.waitFor(() => expect(tabs.all()).toContain('begun'));
  expect([activeSession(), ...seen]).toEqual(['begun', 'begun']);
  expect(tabs.get().active).toBe(terminalTab('t'));
});
