import { describe, expect, it } from 'vitest';
import { click, press, type } from '../../../testing/events.ts';
import { failed } from '../../../testing/fake-api.ts';
import { button, field, pageText, texts } from '../../../testing/queries.ts';
import { body, choose, comment, file, lines, list, patch, show, until } from '../testing/shown-review.tsx';

const editor = (line: number): HTMLTextAreaElement => field(`Comment on src/a.ts, line ${line}`);
const editorTexts = (): string[] =>
  [...document.querySelectorAll<HTMLTextAreaElement>('.review-editor textarea')].map(({ value }) => value);

async function write(line: number, text: string): Promise<void> {
  await click(button(`Select line ${line}`));
  await press('c');
  await type(editor(line), text);
}

describe('a comment that is being saved', () => {
  it('leaves the next comment alone when it is saved', async () => {
    const page = await show();
    await lines();
    const reply = Promise.withResolvers<{ ok: true; value: unknown }>();
    page.answer('session.addComment', reply.promise);
    await write(11, 'Why three?');
    await press('Enter', { ctrlKey: true });
    await write(12, 'And why four?');
    reply.resolve({ ok: true, value: comment() });
    await until(() => expect(texts('.review-comment')).toEqual(['Youline 11DraftWhy three?']));
    expect(editorTexts()).toEqual(['And why four?']);
    expect(document.activeElement).toBe(editor(12));
  });

  it('keeps its text and says why if saving fails', async () => {
    const page = await show();
    await lines();
    const reply = Promise.withResolvers<ReturnType<typeof failed>>();
    page.answer('session.addComment', reply.promise);
    await write(11, 'Why three?');
    await press('Enter', { ctrlKey: true });
    await write(12, 'And why four?');
    reply.resolve(failed('The disk is full.'));
    await until(() => expect(pageText()).toContain("Couldn't save the comment. The disk is full."));
    expect(editorTexts()).toEqual(['Why three?', 'And why four?']);
    expect(editor(11).closest('form')?.textContent).toContain('The disk is full.');
    expect(editor(12).closest('form')?.textContent).not.toContain('The disk is full.');
    expect(document.activeElement).toBe(editor(12));
  });
});

describe('a comment that is being written', () => {
  it('stays open while another one is begun, unless it is empty', async () => {
    await show({ comments: [comment({ startLine: 12, endLine: 12, quote: 'four' })] });
    await lines();
    await click(button('Select line 10'));
    await press('c');
    expect(editorTexts()).toEqual(['']);
    await click(button('Select line 11'));
    await click(button('Comment'));
    await type(editor(11), 'Unfinished');
    await click(button('Edit comment'));
    expect(editorTexts()).toEqual(['Unfinished', 'Why three?']);
    expect(document.activeElement).toBe(editor(12));
    await click(button('Select line 11'));
    await press('c');
    expect(editorTexts()).toEqual(['Unfinished']);
    expect(document.activeElement).toBe(editor(11));
  });

  it('stays open in another scope, and is saved for the changes it was begun on', async () => {
    const page = await show();
    await lines();
    await write(11, 'Unfinished');
    await choose('uncommitted');
    await lines();
    expect(editorTexts()).toEqual(['Unfinished']);
    page.answer('session.addComment', { ok: true, value: comment() });
    await click(button('Save comment'));
    const saved = { scope: 'session', path: 'src/a.ts', startLine: 11, blobId: 'n1', text: 'Unfinished' };
    expect(page.callsOf('session.addComment')[0]?.[1]).toMatchObject(saved);
  });

  it('moves above the changes of its file when its line is no longer among them', async () => {
    const page = await show();
    await lines();
    await write(11, 'Unfinished');
    page.answer('session.changes', { ok: true, value: list({ files: [file({ newId: 'n2' })] }) });
    const moved = patch.replace('-10,3 +10,3', '-50,3 +50,3');
    page.answer('session.changedFile', { ok: true, value: body({ newId: 'n2', patch: moved }) });
    await click(button('Refresh changes'));
    await until(() => expect(texts('.diff-line')).toContain('51+three'));
    expect(editorTexts()).toEqual(['Unfinished']);
    expect(editor(11).closest('.review-loose')).not.toBeNull();
  });

  it.each([
    ['another file', [file({ path: 'b.ts' })]],
    ['no file', []],
  ])('stays open if the list then has %s', async (_what, files) => {
    const page = await show();
    await lines();
    await write(11, 'Unfinished');
    page.answer('session.changes', { ok: true, value: list({ files }) });
    await click(button('Refresh changes'));
    await until(() => expect(editor(11).closest('.review-loose')).not.toBeNull());
    expect(editorTexts()).toEqual(['Unfinished']);
  });
});
