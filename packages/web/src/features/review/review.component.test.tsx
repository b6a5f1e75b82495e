import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { click, focus, press, select, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, field, one, pageText, texts } from '../../testing/queries.ts';
import { render, unmountAll } from '../../testing/render.tsx';
import Review from './review.tsx';
import { body, choose, comment, file, lines, list, patch, show, until } from './testing/shown-review.tsx';

describe('the review', () => {
  it('RV-1 RV-2: shows folder, branch and scope, lists files, and loads a file when it is shown', async () => {
    const other = file({ path: 'b.md', bySession: false, change: 'added', oldId: null, newId: 'n2', staged: 'yes' });
    const page = await show({ reply: list({ files: [file(), other] }) });
    expect(page.callsOf('session.changes')).toEqual([['s', { scope: 'session' }]]);
    expect(one('.review-place').textContent).toContain('main');
    expect(field<HTMLSelectElement>('Scope').value).toBe('session');
    await click(button('Files'));
    expect(texts('.review-name')).toEqual(['a.ts src', 'b.md']);
    expect(pageText()).toContain('Not changed by this session');
    expect(texts('.review-facts')[1]).toBe('new file · not changed by this session · staged');
    expect(await lines()).toContain('11+three');
    await choose('base');
    expect(page.callsOf('session.changes').at(-1)).toEqual(['s', { scope: 'base' }]);
  });

  it('RV-1: the base can be another branch, and be reset to the default', async () => {
    const page = await show({ reply: list({ branch: 'topic' }) });
    const branches = ['main', 'release', 'topic'].map((name) => ({ name, current: name === 'topic' }));
    page.answer('worktree.branches', { ok: true, value: { branches } });
    await choose('base');
    const base = await until(() => field<HTMLSelectElement>('Base branch'));
    expect([...base.options].map(({ text }) => text)).toEqual(['Default base', 'main', 'release']);
    await select(base, 'release');
    expect(page.callsOf('session.changes').at(-1)).toEqual(['s', { scope: 'base', base: 'release' }]);
    await select(field<HTMLSelectElement>('Base branch'), '');
    expect(page.callsOf('session.changes').at(-1)).toEqual(['s', { scope: 'base' }]);
  });

  it('RV-2: folders of the tree collapse; their changes stay in the list next to it', async () => {
    await show({ reply: list({ files: [file(), file({ path: 'b.md', newId: 'n2' })] }) });
    await click(button('Files'));
    await click(button('Show folders as a tree'));
    expect(texts('.review-file-rows .review-name')).toEqual(['src', 'a.ts', 'b.md']);
    await click(button('src'));
    expect(button('src').getAttribute('aria-expanded')).toBe('false');
    expect(texts('.review-file-rows .review-name')).toEqual(['src', 'b.md']);
    expect(texts('.review-path')).toEqual(['src/a.ts', 'b.md']);
    await focus(button('src'));
    await press('ArrowRight');
    expect(texts('.review-file-rows .review-name')).toEqual(['src', 'a.ts', 'b.md']);
  });

  it('RV-3: opens a file in a tab at its first change', async () => {
    const page = await show();
    await lines();
    await click(button('Open file'));
    const { active: tab } = page.workbench.tabs.get();
    expect(tab).toBe('file:s:src/a.ts');
    expect(page.workbench.fileViews.sought.get()).toEqual({ tab, place: { path: 'src/a.ts', line: 10 } });
  });

  it('RV-7 RV-9: a turn without a checkpoint shows why and offers a scope that works', async () => {
    const notice = { code: 'NO_CHECKPOINT' as const, message: 'This turn has no checkpoint.' };
    const page = await show({
      reply: list({ source: 'calls', notice, notices: [notice], checkpoint: 'none', files: [] }),
    });
    await until(() => expect(pageText()).toContain('This turn has no checkpoint.'));
    await click(one<HTMLElement>('.review-notices button'));
    expect(page.callsOf('session.changes').at(-1)).toEqual(['s', { scope: 'uncommitted' }]);
  });

  it('RV-2: a viewed mark collapses the file and disappears when the file changes', async () => {
    const page = await show();
    await lines();
    await click(field('Viewed'));
    expect(texts('.diff-line')).toEqual([]);
    expect(pageText()).toContain('1 of 1 viewed');
    page.answer('session.changes', { ok: true, value: list({ files: [file({ newId: 'n2' })] }) });
    page.answer('session.changedFile', { ok: true, value: body({ newId: 'n2' }) });
    await click(button('Refresh changes'));
    await until(() => expect(pageText()).toContain('0 of 1 viewed'));
    await lines();
  });

  it('RV-2: reloads files that changed since they were loaded', async () => {
    const page = await show();
    await lines();
    page.answer('session.changes', { ok: true, value: list({ files: [file({ newId: 'n2' })] }) });
    page.answer('session.changedFile', {
      ok: true,
      value: body({ newId: 'n2', patch: patch.replace('three', 'five') }),
    });
    await click(button('Refresh changes'));
    await until(() => expect(texts('.diff-line')).toContain('11+five'));
  });

  it('RV-2: reloads the list when the review is shown again', async () => {
    const page = await show({ reply: list({ files: [] }) });
    await until(() => expect(pageText()).toContain('This session has changed no files yet.'));
    act(unmountAll);
    page.answer('session.changes', { ok: true, value: list() });
    await render(page, <Review canSteer />);
    await lines();
  });

  it('RV-2: reloads the list when the server reports a change in the folder', async () => {
    const page = await show();
    await lines();
    page.answer('session.changes', { ok: true, value: list({ files: [file(), file({ path: 'new.ts' })] }) });
    const payload = { at: '2026-01-01T00:00:00.000Z', watching: 'folder' as const };
    await page.hear((seq) => ({ type: 'session:changes', sessionId: 's', epoch: 'e1', seq, payload }));
    await until(() => expect(pageText()).toContain('0 of 2 viewed'));
  });

  it('RV-3: a link to a line opens the file there, or shows that it has no changes', async () => {
    const page = await show();
    await act(async () => page.workbench.reviews.open('s', { path: 'src/a.ts', line: 11 }));
    await until(() => expect(texts('.diff-chosen')).toEqual(['11+three']));
    await act(async () => page.workbench.reviews.open('s', { path: 'other.ts', line: 1, isLoose: true }));
    await until(() => expect(pageText()).toContain('“other.ts” has no changes here.'));
    expect(page.callsOf('session.changes').at(-1)).toEqual(['s', { scope: 'uncommitted' }]);
  });

  it('RV-3: keys move between changes, select lines, and close the review', async () => {
    const page = await show();
    await lines();
    await press('j');
    expect(texts('.diff-chosen')).toEqual(['11−two']);
    await press('ArrowDown');
    await press('ArrowDown', { shiftKey: true });
    expect(texts('.diff-chosen')).toEqual(['11+three', '1212 four']);
    await press('Escape');
    expect(texts('.diff-chosen')).toEqual([]);
    await press('w');
    await until(() => expect(page.callsOf('session.changedFile').at(-1)?.[1]).toMatchObject({ whitespace: 'ignore' }));
    await press('Escape');
    expect(page.workbench.reviews.isOpen('s')).toBe(false);
  });

  it.each([[['j']], [['n', 'j']]])('RV-3: the next change can be in a file that is still loading: %s', async (keys) => {
    const page = await show({ reply: list({ files: [] }) });
    const slow = Promise.withResolvers<{ ok: true; value: unknown }>();
    page.answer('session.changes', { ok: true, value: list({ files: [file(), file({ path: 'src/b.ts' })] }) });
    page.answer('session.changedFile', (_session: string, { path }: { path: string }) =>
      path === 'src/a.ts' ? slow.promise : { ok: true, value: body({ path }) },
    );
    await click(button('Refresh changes'));
    await until(() => expect(page.callsOf('session.changedFile')).toHaveLength(2));
    for (const key of keys) await press(key);
    await act(async () => slow.resolve({ ok: true, value: body({ patch: patch.replace('two', 'slow') }) }));
    await until(() => expect(texts('.diff-chosen')).toEqual(['11−slow']));
  });

  it('RV-3 RV-4: shows the unchanged lines before a hunk, each with its comments once', async () => {
    const page = await show({ comments: [comment({ startLine: 2, endLine: 2, quote: 'line 2' })] });
    await lines();
    expect(texts('.review-quote')).toEqual(['line 2']);
    const before = Array.from({ length: 9 }, (_, index) => ` line ${index + 1}\n`).join('');
    const whole = patch.replace('@@ -10,3 +10,3 @@\n', `@@ -1,12 +1,12 @@\n${before}`);
    page.answer('session.changedFile', { ok: true, value: body({ patch: whole }) });
    await click(button('Show 9 unchanged lines'));
    await until(() => expect(texts('.diff-line')[0]).toBe('11 line 1'));
    expect(texts('.diff-line')).toHaveLength(13);
    expect([texts('.review-comment').length, texts('.review-quote')]).toEqual([1, []]);
  });

  it('RV-7: an untrusted folder says what it shows and offers trust; nothing can be staged', async () => {
    const notice = { code: 'PROJECT_NOT_TRUSTED' as const, message: "Git isn't started here." };
    const page = await show({ reply: list({ source: 'calls', notice, notices: [notice], branch: null }) });
    expect(texts('.review-notices li')).toEqual(["Git isn't started here.Trust folder…"]);
    expect(buttonNames()).not.toContain('Stage file');
    expect(buttonNames()).not.toContain('Commit…');
    await click(button('Trust folder…'));
    expect(page.workbench.panels.front.get()).toEqual({ name: 'trust', projectId: 'p' });
  });

  it.each([
    [
      body({ patch: undefined, hunks: [], binary: true, oldSize: 10, newSize: 2000 }),
      'Binary file, 10 B before and 2 KB now.',
    ],
    [body({ patch: 'diff --git a/a b/b\n', hunks: [] }), 'No lines changed'],
  ])('RV-7: a file without lines says why', async (read, words) => {
    await show({ file: read });
    await until(() => expect(pageText()).toContain(words));
  });

  it('RV-7: a large change is shown on request, and a failure can be retried', async () => {
    const { patch: _patch, ...rest } = body();
    const page = await show({ file: { ...rest, hunks: [], tooLarge: true } });
    await until(() => button('Show anyway'));
    page.answer('session.changedFile', failed('Git failed.', 'GIT_FAILED'));
    await click(button('Show anyway'));
    expect(page.callsOf('session.changedFile').at(-1)?.[1]).toMatchObject({ full: true });
    await until(() => expect(pageText()).toContain("Couldn't read this file. Git failed."));
    page.answer('session.changedFile', { ok: true, value: body() });
    await click(button('Try again'));
    await lines();
  });

  it('explains an empty list, and what to do if it can’t be loaded', async () => {
    const page = await show({ reply: list({ files: [] }) });
    await until(() => expect(pageText()).toContain('This session has changed no files yet.'));
    expect(pageText()).not.toContain('0 files');
    expect(buttonNames()).not.toContain('Files');
    page.answer('session.changes', failed('The server is busy.'));
    await choose('turn');
    await until(() => expect(pageText()).toContain("Couldn't read the changes. The server is busy."));
    button('Try again');
  });
});

describe('comments', () => {
  it('RV-4: a comment is written on selected lines and saved with the content it refers to', async () => {
    const page = await show();
    await lines();
    page.answer('session.addComment', { ok: true, value: comment() });
    await click(button('Select line 11'));
    await click(button('Comment'));
    await type(field<HTMLTextAreaElement>('Comment on src/a.ts, line 11'), 'Why three?');
    await press('Escape', { isComposing: true });
    await press('Enter', { ctrlKey: true });
    expect(page.callsOf('session.addComment')).toEqual([
      [
        's',
        {
          scope: 'session',
          path: 'src/a.ts',
          side: 'new',
          startLine: 11,
          endLine: 11,
          text: 'Why three?',
          blobId: 'n1',
        },
      ],
    ]);
    await until(() => expect(texts('.review-comment')).toEqual(['Youline 11DraftWhy three?']));
    expect(texts('.review-bar-count')).toEqual(['1 commenta.ts:11']);
  });

  it.each([
    [
      'follows its lines',
      patch.replace('@@ -10,3 +10,3 @@\n', '@@ -10,3 +10,5 @@\n+a\n+b\n'),
      { startLine: 13, blobId: 'n2' },
    ],
    [
      'keeps the content it was written on if they are gone',
      patch.replace('three', 'five'),
      { startLine: 11, blobId: 'n1' },
    ],
  ])('RV-4: a comment on a file that changes meanwhile %s', async (_what, changed, expected) => {
    const page = await show();
    await lines();
    await click(button('Select line 11'));
    await click(button('Comment'));
    await type(field<HTMLTextAreaElement>('Comment on src/a.ts, line 11'), 'Why three?');
    page.answer('session.changes', { ok: true, value: list({ files: [file({ newId: 'n2' })] }) });
    page.answer('session.changedFile', { ok: true, value: body({ newId: 'n2', patch: changed }) });
    await click(button('Refresh changes'));
    await until(() => expect(texts('.diff-line').join()).toMatch(/13\+three|11\+five/));
    page.answer('session.addComment', failed('The file changed.', 'STALE'));
    await focus(one<HTMLTextAreaElement>('.review textarea'));
    await press('Enter', { ctrlKey: true });
    expect(page.callsOf('session.addComment').map(([, sent]) => sent)).toMatchObject([expected]);
  });

  it('RV-4: a comment whose lines are gone is shown with them, even if its file isn’t listed', async () => {
    const outdated = comment({ outdated: true, quote: 'gone' });
    await show({ comments: [outdated, comment({ commentId: 'c2', path: 'other.ts', quote: 'there' })] });
    await until(() => expect(texts('.review-comment')).toHaveLength(2));
    expect(texts('.review-quote')).toEqual(['gone', 'there']);
    expect(texts('.review-badge')).toContain('Outdated');
  });

  it('RV-5: sends all drafts with a note, once, and confirms it', async () => {
    const page = await show({ comments: [comment()] });
    await until(() => button('Send review'));
    page.answer('session.review', { ok: true, value: { turnId: 't9', commentIds: ['c1'] } });
    await type(field('Note to Demo (optional)'), 'Please');
    await click(button('Send review'));
    expect(page.callsOf('session.review')).toEqual([
      ['s', { mode: 'queue', note: 'Please', clientMessageId: expect.any(String) as string }],
    ]);
    await until(() => expect(pageText()).toContain('Sent 1 comment.'));
    await click(button('Show in conversation'));
    expect(page.workbench.reviews.isOpen('s')).toBe(false);
  });

  it('RV-5: a sent comment can be resolved in place', async () => {
    const sent = comment({ state: 'sent', sentTurnId: 't1' });
    const page = await show({ comments: [sent] });
    await lines();
    page.answer('session.editComment', { ok: true, value: { ...sent, state: 'resolved' } });
    await until(() => button('Resolve'));
    await click(button('Resolve'));
    expect(page.callsOf('session.editComment')).toEqual([['s', 'c1', { state: 'resolved' }]]);
    await until(() => expect(texts('.review-badge')).toEqual(['Resolved']));
  });
});
