import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { click, press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, field, one, pageText, texts } from '../../testing/queries.ts';
import { body, choose, file, lines, list, patch, show, until } from './testing/shown-review.tsx';

type HookFailure = { readonly code: string; readonly message: string; readonly details: { readonly output: string } };

describe('staging and committing', () => {
  it('RV-6: stages a hunk by the contents on both sides, and shows the newest state if it is stale', async () => {
    const page = await show();
    await choose('uncommitted');
    await lines();
    await click(button('Stage hunk'));
    expect(page.callsOf('session.stage')).toEqual([
      ['s', { hunks: [{ path: 'src/a.ts', oldId: 'o1', newId: 'n1', hunk: 0, context: 3, whitespace: 'show' }] }],
    ]);
    await until(() => expect(pageText()).toContain('Staged a hunk.'));
    page.answer('session.stage', failed('Look again.', 'STALE'));
    const before = page.callsOf('session.changes').length;
    await click(button('Stage file'));
    await until(() => expect(pageText()).toContain('this is the newest state'));
    expect(page.callsOf('session.changes').length).toBeGreaterThan(before);
  });

  it('RV-6: acts on no single hunk while whitespace is ignored, and says why', async () => {
    const page = await show();
    await choose('uncommitted');
    await lines();
    await press('w');
    await until(() => expect(page.callsOf('session.changedFile').at(-1)?.[1]).toMatchObject({ whitespace: 'ignore' }));
    await lines();
    expect([button('Stage hunk').disabled, button('Discard hunk…').disabled]).toEqual([true, true]);
    expect(one('.review-gap-actions').title).toBe('Show whitespace to stage or discard single hunks.');
    await press('j');
    await press('s');
    await press('d');
    expect([page.callsOf('session.stage'), document.querySelector('dialog')]).toEqual([[], null]);
    expect(pageText()).toContain('Show whitespace to stage or discard single hunks.');
    await press('w');
    await lines();
    expect(button('Stage hunk').disabled).toBe(false);
  });

  it('RV-6: acts on no hunk if the selected line is in none, and says so', async () => {
    const page = await show();
    await choose('uncommitted');
    await lines();
    const before = Array.from({ length: 9 }, (_, index) => ` line ${index + 1}\n`).join('');
    const whole = patch.replace('@@ -10,3 +10,3 @@\n', `@@ -1,12 +1,12 @@\n${before}`);
    page.answer('session.changedFile', { ok: true, value: body({ patch: whole }) });
    await click(button('Show 9 unchanged lines'));
    await until(() => expect(texts('.diff-line')[0]).toBe('11 line 1'));
    await click(button('Select line 2'));
    await press('s');
    await press('d');
    expect([page.callsOf('session.stage'), document.querySelector('dialog')]).toEqual([[], null]);
    expect(pageText()).toContain('The selected line is in no hunk.');
  });

  it('RV-6: explains a discard, discards, and restores it', async () => {
    const page = await show();
    await choose('uncommitted');
    await lines();
    page.answer('session.discard', { ok: true, value: { files: ['src/a.ts'], undoId: 'u1' } });
    page.answer('session.undo', { ok: true, value: { files: ['src/a.ts'] } });
    await click(button('Discard…'));
    expect(one('dialog').textContent).toContain('The file will match the last commit. You can undo this.');
    expect(page.callsOf('session.discard')).toEqual([]);
    await click(button('Discard changes'));
    expect(page.callsOf('session.discard')).toEqual([['s', { paths: ['src/a.ts'], scope: 'uncommitted' }]]);
    await until(() => button('Undo'));
    await click(button('Undo'));
    expect(page.callsOf('session.undo')).toEqual([['s', { undoId: 'u1' }]]);
    await until(() => expect(pageText()).toContain('Restored 1 file.'));
  });

  it('RV-6: offers to undo a discard that failed halfway', async () => {
    const page = await show();
    await choose('uncommitted');
    await lines();
    const failure = { code: 'STALE', message: 'Undo restores them.', details: { undoId: 'u1' } };
    page.answer('session.discard', { ok: false, failure });
    page.answer('session.undo', { ok: true, value: { files: ['src/a.ts'] } });
    await click(button('Discard…'));
    await click(button('Discard changes'));
    await until(() => button('Undo'));
    expect(pageText()).toContain('Undo restores them.');
    await click(button('Undo'));
    expect(page.callsOf('session.undo')).toEqual([['s', { undoId: 'u1' }]]);
  });

  it('RV-6: commits nothing before it is known what is staged', async () => {
    const page = await show();
    const listed = Promise.withResolvers<{ ok: true; value: unknown }>();
    page.answer('session.changes', () => listed.promise);
    page.answer('session.commit', failed('Not yet.'));
    await click(button('Commit…'));
    await type(field<HTMLTextAreaElement>('Message'), 'My words');
    await press('Enter', { ctrlKey: true });
    expect(page.callsOf('session.commit')).toEqual([]);
    await act(async () => listed.resolve({ ok: true, value: list({ files: [file({ staged: 'yes' })] }) }));
    await press('Enter', { ctrlKey: true });
    expect(page.callsOf('session.commit')).toEqual([['s', { message: 'My words' }]]);
  });

  it('RV-6: commits with a suggested message, shows a hook’s output, and can skip hooks', async () => {
    const page = await show();
    page.answer('session.commit', {
      ok: false,
      failure: { code: 'HOOK_FAILED', message: 'A hook rejected the commit.', details: { output: 'lint: 1 error' } },
    });
    await click(button('Commit…'));
    await until(() => expect(field<HTMLTextAreaElement>('Message').value).toBe('Title'));
    await type(field<HTMLTextAreaElement>('Message'), 'My words');
    await click(button('Commit'));
    expect(page.callsOf('session.commit')).toEqual([['s', { message: 'My words', all: true }]]);
    await until(() => expect(pageText()).toContain('lint: 1 error'));
    page.answer('session.commit', {
      ok: true,
      value: { commit: '0123456789abcdef', output: '[main 0123456] My words' },
    });
    await click(button('Commit without hooks'));
    expect(page.callsOf('session.commit').at(-1)?.[1]).toMatchObject({ skipHooks: true });
    await until(() => expect(pageText()).toContain('Committed 0123456789.'));
    expect(pageText()).toContain('[main 0123456] My words');
  });

  describe('RV-6: a commit whose dialog is closed while hooks run', () => {
    async function commitAndReopen() {
      const page = await show();
      const reply = Promise.withResolvers<{ ok: true; value: unknown } | { ok: false; failure: HookFailure }>();
      page.answer('session.commit', reply.promise);
      await click(button('Commit…'));
      await until(() => expect(field<HTMLTextAreaElement>('Message').value).toBe('Title'));
      await click(button('Commit'));
      await click(button('Cancel'));
      await click(button('Commit…'));
      await type(field<HTMLTextAreaElement>('Message'), 'The next one');
      return (value: Parameters<typeof reply.resolve>[0]) => act(async () => reply.resolve(value));
    }

    it('doesn’t close the dialog that was opened after it', async () => {
      const resolve = await commitAndReopen();
      await resolve({ ok: true, value: { commit: '0123456789abcdef', output: '' } });
      expect(pageText()).toContain('Committed 0123456789.');
      expect(field<HTMLTextAreaElement>('Message').value).toBe('The next one');
    });

    it('reports its failure with the hook’s output in the review, and not in the new dialog', async () => {
      const resolve = await commitAndReopen();
      const failure = { code: 'HOOK_FAILED', message: 'A hook rejected it.', details: { output: 'lint: 1 error' } };
      await resolve({ ok: false, failure });
      expect(one('.review-outcome-failed').textContent).toContain("Couldn't commit. A hook rejected it.");
      expect(one('.review-outcome-failed pre').textContent).toBe('lint: 1 error');
      expect(texts('dialog [role=alert]')).toEqual([]);
    });
  });

  it('RV-6: a discard whose dialog was closed doesn’t close the next one', async () => {
    const page = await show();
    await choose('uncommitted');
    await lines();
    const reply = Promise.withResolvers<{ ok: true; value: unknown }>();
    page.answer('session.discard', reply.promise);
    await press('j');
    await press('d');
    await click(button('Discard hunk'));
    await click(button('Cancel'));
    await press('d');
    expect(texts('dialog h2')).toEqual(['Discard this hunk?']);
    await act(async () => reply.resolve({ ok: true, value: { files: ['src/a.ts'], undoId: 'u1' } }));
    expect(texts('dialog h2')).toEqual(['Discard this hunk?']);
  });
});
