import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { Project, SessionSummary } from '@liminal/contracts';
import { click, focus, press, type } from '../../testing/events.ts';
import { button, buttonNames, field, one, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { createTestPage, project, type TestPage } from '../../testing/test-page.ts';
import { statusLabels } from '../../ui/status-badge.tsx';
import { Sidebar } from './sidebar.tsx';

const onChosen = vi.fn();

async function openSidebar(sessions: readonly SessionSummary[], projects?: readonly Project[]): Promise<TestPage> {
  onChosen.mockReset();
  const page = createTestPage();
  await page.list(sessions, projects);
  await render(
    page,
    <Sidebar onChosen={onChosen} onHide={() => {}}>
      {null}
    </Sidebar>,
  );
  return page;
}
const titles = (): string[] => texts('.session-title-text');
const many = (count: number, part: Partial<SessionSummary> = {}): SessionSummary[] =>
  Array.from({ length: count }, (_, index) =>
    summary({
      sessionId: `s${index}${part.archived === true ? 'a' : ''}`,
      title: `Session ${index}`,
      updatedAt: `2026-01-01T00:00:${String(index).padStart(2, '0')}.000Z`,
      ...part,
    }),
  );

describe('the sessions of a project', () => {
  it('are listed newest first, older ones after a click', async () => {
    await openSidebar(many(14));
    expect(titles()).toHaveLength(12);
    expect(titles()[0]).toBe('Session 13');
    await click(button('Show 2 older'));
    expect(titles().slice(-2)).toEqual(['Session 1', 'Session 0']);
    expect(buttonNames().filter((name) => name.startsWith('Show'))).toEqual([]);
  });

  it('hide archived ones until the user asks for them', async () => {
    await openSidebar([summary({ title: 'Kept' }), ...many(1, { archived: true })]);
    expect(titles()).toEqual(['Kept']);
    await click(button('Show 1 archived'));
    expect(titles()).toEqual(['Kept', 'Session 0']);
    expect(texts('.session-row-archived .session-facts-text').join()).toContain('archived');
    await click(button('Hide archived'));
    expect(titles()).toEqual(['Kept']);
  });

  it('follow changes from the server', async () => {
    const page = await openSidebar([summary({ title: 'Before' })]);
    await page.list([summary({ title: 'After' })]);
    expect(titles()).toEqual(['After']);
  });

  it('can be collapsed, which survives a reload, and still show the most urgent status', async () => {
    await openSidebar([summary({ activity: 'working' })]);
    const head = one('.project-head');
    const sessions = button('Sessions of repo');
    expect(head.querySelector('[role=img]')).toBeNull();
    await click(sessions);
    expect(sessions.getAttribute('aria-expanded')).toBe('false');
    expect(titles()).toEqual([]);
    expect(head.querySelector('[role=img]')?.getAttribute('aria-label')).toBe(statusLabels.working);
    expect(createTestPage().workbench.collapsedGroups.get().has('p')).toBe(true);
  });

  it('offers a new session if there are none yet', async () => {
    const page = await openSidebar([]);
    expect(texts('.session-start')).toEqual(['New session']);
    await click(one<HTMLButtonElement>('.session-start'));
    expect(page.workbench.panels.front.get()).toEqual({ name: 'new-session', projectId: 'p' });
  });
});

describe('the list of sessions', () => {
  const two = [project({ branch: 'main' }), project({ projectId: 'q', name: 'other', dir: '/q' })];
  const listed = [
    summary({ sessionId: 'a', title: 'Alpha', updatedAt: '2026-01-03T00:00:00.000Z' }),
    summary({ sessionId: 'b', title: 'Beta', updatedAt: '2026-01-02T00:00:00.000Z' }),
    summary({ sessionId: 'c', title: 'Gamma', projectId: 'q', updatedAt: '2026-01-01T00:00:00.000Z' }),
  ];
  const choose = async (name: string): Promise<void> => {
    await click(button('Sort and group'));
    await click(
      [...document.querySelectorAll<HTMLElement>('[role=menuitem]')].find((item) => item.textContent.startsWith(name))!,
    );
  };

  it('switches to a project by its name, as it was left, or to the form for its first session', async () => {
    const page = await openSidebar(listed, [...two, project({ projectId: 'r', name: 'empty', dir: '/r' })]);
    const name = (text: string) =>
      [...document.querySelectorAll<HTMLButtonElement>('.project-name')].find((each) => each.textContent === text)!;
    const current = () => texts('.project-name[aria-current]');
    await act(async () => ['a', 'b', 'c'].forEach((id) => page.workbench.tabs.show(id)));
    expect(current()).toEqual(['other']);
    await click(name('repo'));
    expect(page.workbench.tabs.get().active).toBe('b');
    expect(current()).toEqual(['repo']);
    await click(name('empty'));
    expect(page.workbench.tabs.get()).toMatchObject({ open: [], active: null });
    expect(page.workbench.newSessions.get().get(page.workbench.startForm.current.get() ?? '')?.projectId).toBe('r');
    expect(current()).toEqual(['empty']);
  });

  it('shows the branch and changed lines of each session', async () => {
    const changed = { files: 2, added: 42, removed: 7 };
    await openSidebar(
      [summary({ ended: { id: 't', at: '2026-01-01T00:00:00.000Z', changed }, marks: { seen: 't' } })],
      two,
    );
    expect(texts('.session-facts')).toEqual(['main+42 −7']);
  });

  it('shows only matches of a filter, by title, branch or project, until Escape', async () => {
    await openSidebar(listed, two);
    await type(field('Filter sessions'), 'BET');
    expect(titles()).toEqual(['Beta']);
    await type(field('Filter sessions'), 'other');
    expect(titles()).toEqual(['Gamma']);
    await type(field('Filter sessions'), 'nothing');
    expect(texts('.sidebar-empty')).toEqual(['No session matches.']);
    await press('Escape');
    expect(titles()).toEqual(['Alpha', 'Beta', 'Gamma']);
  });

  it('keeps the chosen order and grouping after a reload', async () => {
    await openSidebar(
      [...listed, summary({ sessionId: 'w', title: 'Waits', activity: 'waiting', projectId: 'q' })],
      two,
    );
    await choose('Needs you first');
    await choose('Group by project');
    expect(titles()).toEqual(['Waits', 'Alpha', 'Beta', 'Gamma']);
    expect(createTestPage().workbench.listView.get()).toMatchObject({ sort: 'status', group: 'none' });
  });

  it('can be reordered by key, and the focus stays with the moved session', async () => {
    await openSidebar(listed, two);
    await focus(one('#session-link-a'));
    await press('ArrowDown', { altKey: true, shiftKey: true });
    expect(titles()).toEqual(['Beta', 'Alpha', 'Gamma']);
    await vi.waitFor(() => expect(document.activeElement?.id).toBe('session-link-a'));
  });

  it('can be reordered by dragging', async () => {
    await openSidebar(listed, two);
    const data = new Map<string, string>();
    const dataTransfer = {
      types: ['application/x-liminal-session'],
      setData: data.set.bind(data),
      getData: (key: string) => data.get(key) ?? '',
    };
    const drag = (kind: string, id: string) =>
      act(async () => {
        const event = new Event(kind, { bubbles: true, cancelable: true });
        Object.assign(event, { dataTransfer, clientY: -1 });
        one(`#session-link-${id}`).dispatchEvent(event);
      });
    await drag('dragstart', 'b');
    await drag('dragover', 'a');
    await drag('drop', 'a');
    expect(titles()).toEqual(['Beta', 'Alpha', 'Gamma']);
  });
});

describe('a project', () => {
  it('shows that it isn’t trusted, and opens an explanation', async () => {
    const page = await openSidebar([], [project({ trusted: false })]);
    await click(one<HTMLButtonElement>('.project-untrusted'));
    expect(page.workbench.panels.front.get()).toEqual({ name: 'trust', projectId: 'p' });
  });

  it('has no such mark if it is trusted, and can be distrusted from its menu', async () => {
    const page = await openSidebar([], [project()]);
    expect(document.querySelector('.project-untrusted')).toBeNull();
    await click(button('More actions for repo'));
    await click(button('Stop trusting this folder'));
    expect(page.callsOf('project.trust')).toEqual([['p', { trusted: false }]]);
  });

  it('shows hidden characters in its name', async () => {
    const page = createTestPage();
    page.answer('project.list', { ok: true, value: { projects: [project({ name: 'a\u202eb' })] } });
    await page.workbench.directory.refresh();
    await render(
      page,
      <Sidebar onChosen={onChosen} onHide={() => {}}>
        {null}
      </Sidebar>,
    );
    expect(texts('.project-label').join()).not.toContain('\u202e');
  });
});

describe('sessions that need the user', () => {
  const waiting = (sessionId: string): SessionSummary => summary({ sessionId, activity: 'waiting' });

  it('are counted next to the inbox, which a click opens', async () => {
    const page = await openSidebar([summary(), waiting('a'), waiting('b')]);
    const count = one('.count-badge');
    expect([count.textContent, count.getAttribute('aria-label')]).toEqual(['2', '2 sessions need you']);
    await click(one<HTMLButtonElement>('.sidebar-link:has(.count-badge)'));
    expect(page.workbench.panels.inbox.get()).toBe(true);
    expect(onChosen).toHaveBeenCalledTimes(1);
  });

  it('aren’t counted if they are archived, and zero isn’t shown', async () => {
    await openSidebar([{ ...waiting('a'), archived: true }]);
    expect(document.querySelector('.count-badge')).toBeNull();
  });
});

describe('an empty list', () => {
  it('offers to add a folder only once, because the first screen offers it too', async () => {
    const page = await openSidebar([], []);
    expect(texts('.sidebar-empty')).toEqual(['No projects yet.']);
    await click(button('Add project'));
    expect(page.workbench.panels.front.get()).toEqual({ name: 'add-project' });
  });

  it('offers nothing before the server has sent the list', async () => {
    await render(
      createTestPage(),
      <Sidebar onChosen={onChosen} onHide={() => {}}>
        {null}
      </Sidebar>,
    );
    expect(document.querySelector('.sidebar-empty')).toBeNull();
  });
});
