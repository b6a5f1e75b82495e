import { describe, expect, it } from 'vitest';
import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import type { MergePlan } from '@liminal/contracts';
import { click, select, type } from '../../../testing/events.ts';
import { failed } from '../../../testing/fake-api.ts';
import { button, buttonNames, field, one, pageText, texts } from '../../../testing/queries.ts';
import { render } from '../../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../../testing/test-page.ts';
import { BringBackDialog } from './bring-back-dialog.tsx';
import { worktree } from '../../../testing/sample-worktree.ts';

const plan = (part: Partial<MergePlan & { dirty: boolean }> = {}) => ({
  ok: true as const,
  value: {
    commits: 2,
    subjects: ['Second', 'First'],
    files: ['a.ts', 'b.ts'],
    fastForward: false,
    dirty: false,
    ...part,
  },
});

async function open(merge: unknown, sessionId: string | null = 's'): Promise<TestPage> {
  const page = createTestPage();
  page.answer('worktree.read', { ok: true, value: worktree({ sessionId }) });
  page.answer('worktree.branches', {
    ok: true,
    value: { base: 'main', branches: ['fix', 'main', 'release'].map((name) => ({ name, current: name === 'main' })) },
  });
  page.answer('worktree.merge', merge as ReturnType<typeof plan>);
  await render(page, <BringBackDialog projectId="p" worktreeId="w" onClose={() => page.workbench.panels.close()} />);
  await page.list([sessionSummary({ title: 'Fix the limiter' })]);
  return page;
}

describe('merging and publishing a worktree', () => {
  it('WT-3: shows what a merge would do, for each method and branch, before it merges', async () => {
    const page = await open(plan());
    expect(one('.bring-back-preview p').textContent).toBe('2 commits, 2 files to merge into main. No conflicts.');
    expect(texts('.bring-back-preview li')).toEqual(['Second', 'First', 'a.ts', 'b.ts']);
    expect(texts('.bring-back-field option')).toEqual(['main', 'release']);
    page.answer('worktree.merge', plan({ fastForward: true }));
    await select(one<HTMLSelectElement>('.bring-back-field select'), 'release');
    expect(one('.bring-back-preview p').textContent).toContain('into release. Fast-forward');
    await click(field('Squash One commit with all changes'));
    expect(page.callsOf('worktree.merge').map(([, body]) => body)).toEqual([
      { how: 'merge', dryRun: true },
      { how: 'merge', into: 'release', dryRun: true },
      { how: 'squash', into: 'release', dryRun: true },
    ]);
    page.answer('worktree.merge', { ok: true, value: { commit: '0123456789abcdef' } });
    await click(button('Squash into release'));
    expect(page.callsOf('worktree.merge')[3]).toEqual(['w', { how: 'squash', into: 'release' }]);
    expect(pageText()).toContain('Merged into release as 01234567.');
  });

  it('WT-3: uncommitted changes are committed first, even if no commit is ahead yet', async () => {
    const page = await open({
      ok: false,
      failure: { code: 'NOTHING_TO_COMMIT', message: '"main" has every commit already.', details: { dirty: true } },
    });
    expect(pageText()).toContain("Some changes aren't committed.");
    expect(button('Merge into main').disabled).toBe(true);
    await click(button('Commit first…'));
    expect(page.workbench.reviews.isOpen('s')).toBe(true);
    expect(page.workbench.reviews.sought.get()?.place).toEqual({ scope: 'uncommitted' });
    expect(page.workbench.panels.committing.get()).toBe('s');
  });

  it('WT-3: a conflict lists its files and can be sent to the agent', async () => {
    const page = await open({
      ok: false,
      failure: { code: 'CONFLICT', message: 'Both changed a.ts.', details: { files: ['a.ts'], dirty: false } },
    });
    expect(texts('.bring-back-conflict li')).toEqual(['a.ts']);
    // There is one next step, and merging isn't it.
    expect(buttonNames()).not.toContain('Merge into main');
    await click(button('Ask the agent to resolve'));
    const [sent] = page.callsOf('session.send');
    expect(sent).toMatchObject(['s', { content: expect.stringContaining('Merge the branch `main` into this branch') }]);
  });

  it('WT-3: a conflict without a session says what to do', async () => {
    await open({ ok: false, failure: { code: 'CONFLICT', message: 'x', details: { files: ['a.ts'] } } }, null);
    expect(one('.bring-back-conflict').textContent).toContain('in a terminal');
  });

  it('WT-3: pushes, and opens a pull request with the suggested text', async () => {
    const page = await open(plan());
    page.answer('worktree.push', { ok: true, value: { remote: 'origin', branch: 'fix', output: 'remote: ok' } });
    await click(button('Push'));
    expect(pageText()).toContain('Pushed to origin/fix.');
    await click(button('Open pull request…'));
    expect(one<HTMLTextAreaElement>('.bring-back-form textarea').value).toBe('- First\n- Second');
    page.answer('worktree.pullRequest', failed('Neither gh nor glab was found. Install one of them.', 'NOT_SUPPORTED'));
    await click(button('Open pull request'));
    expect(one('.bring-back-failure').textContent).toContain('Install one of them.');
    page.answer('worktree.pullRequest', { ok: true, value: { url: 'https://example.org/pull/1' } });
    await type(field('Title'), 'Limit requests');
    await click(button('Open pull request'));
    expect(page.callsOf('worktree.pullRequest')[1]).toEqual([
      'w',
      { title: 'Limit requests', body: '- First\n- Second' },
    ]);
    expect(one<HTMLAnchorElement>('.bring-back-part a').href).toBe('https://example.org/pull/1');
  });
});
