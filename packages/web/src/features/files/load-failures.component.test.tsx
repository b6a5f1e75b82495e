import { act } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CallOptions } from '@liminal/client/call-routes';
import { ImagesContext, type LoadedImage } from '../../rendering/rich/project-image.tsx';
import { fileTab } from '../../state/layout/tab-id.ts';
import { click, focus, press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, field, one, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import FilesView from './files-view.tsx';
import { BinaryFile } from './other-contents.tsx';
import { answerFolders, fileReply } from './testing/sample-folder.ts';

const unreachable = failed("Can't reach the server.", 'UNREACHABLE');
const row = (key: string): HTMLElement => one(`[data-tree-row="${key}"]`);
const alerts = (): string[] => texts('[role=alert]');

let page: TestPage;
beforeEach(() => {
  page = createTestPage();
  answerFolders(page, { '': ['src/', 'notes.txt'], src: ['a.ts'] });
  page.answer('file.read', { ok: true, value: fileReply() });
  page.answer('file.draft', { ok: true, value: { draft: null } });
});
const show = (path = ''): Promise<unknown> => render(page, <FilesView tab={fileTab('s', path)} path={path} />);
const tryAgain = async (): Promise<void> => {
  await focus(button('Try again'));
  await press('Enter');
};

/** The view refreshes when the window gets the focus. */
const refresh = (): Promise<void> => act(async () => void dispatchEvent(new Event('focus')));

describe("the tree, if a folder can't be read", () => {
  it('says why, and takes the focus after a successful retry', async () => {
    page.answer('file.tree', unreachable);
    await show();
    expect(alerts()).toEqual(["Couldn't read this folder.Can't reach the server.Try again"]);
    await tryAgain();
    expect(page.callsOf('file.tree')).toHaveLength(2);
    expect(alerts()).toHaveLength(1);
    answerFolders(page, { '': ['src/', 'notes.txt'] });
    await tryAgain();
    expect(texts('[role=treeitem]')).toEqual(['src', 'notes.txt']);
    expect(alerts()).toEqual([]);
    expect(document.activeElement).toBe(row('src'));
  });

  it('keeps the old rows if a refresh fails', async () => {
    await show();
    page.answer('file.tree', unreachable);
    await refresh();
    expect(alerts()).toEqual(["Couldn't refresh this folder.Can't reach the server.Try again"]);
    expect(texts('.files-row')).toEqual(['src', 'notes.txt']);
    answerFolders(page, { '': ['src/', 'other.txt'] });
    await tryAgain();
    expect(texts('[role=treeitem]')).toEqual(['src', 'other.txt']);
  });

  it('says so inside a folder; the button and Enter try again', async () => {
    answerFolders(page, { '': ['src/', 'notes.txt'], src: unreachable });
    await show();
    await click(row('src'));
    expect(texts('[role=treeitem]')).toEqual([
      'src',
      "Couldn't read src.Can't reach the server.Try again",
      'notes.txt',
    ]);
    expect(row('src//').getAttribute('aria-level')).toBe('2');
    await focus(row('src//'));
    await press('Enter');
    await tryAgain();
    expect(page.callsOf('file.tree').map(([, query]) => query)).toEqual(
      ['', 'src', 'src', 'src'].map((path) => ({ path })),
    );
    answerFolders(page, { '': ['src/', 'notes.txt'], src: ['a.ts'] });
    await tryAgain();
    expect(texts('[role=treeitem]')).toEqual(['src', 'a.ts', 'notes.txt']);
  });

  it('moves to the failure of a folder with the arrow keys', async () => {
    answerFolders(page, { '': ['src/', 'notes.txt'], src: unreachable });
    await show();
    await click(row('src'));
    await press('ArrowDown');
    await expect.poll(() => document.activeElement).toBe(row('src//'));
    await press('ArrowLeft');
    await expect.poll(() => document.activeElement).toBe(row('src'));
  });

  it('removes a folder that no longer exists', async () => {
    await show();
    answerFolders(page, { '': ['notes.txt'] });
    await click(row('src'));
    expect(alerts()).toEqual(['Couldn\'t read src.This project has no folder "src".Try again']);
    await tryAgain();
    expect(texts('[role=treeitem]')).toEqual(['notes.txt']);
  });

  it('offers to show ignored files if there are no others', async () => {
    const ignored = { name: 'dist', path: 'dist', kind: 'folder', ignored: true };
    page.answer('file.tree', { ok: true, value: { entries: [ignored], truncated: false } });
    await show();
    await click(button('More actions for this folder'));
    await click(button('Show ignored files(on)'));
    expect(pageText()).toContain('Only ignored files');
    await click(button('Show ignored files'));
    expect(texts('[role=treeitem]')).toEqual(['dist']);
  });
});

describe("a file that can't be opened", () => {
  it('says why, and moves the focus to the text after a successful retry', async () => {
    page.answer('file.read', unreachable);
    await show('notes.txt');
    expect(alerts()).toEqual(["Couldn't open notes.txt.Can't reach the server.Try again"]);
    await tryAgain();
    expect(alerts()).toHaveLength(1);
    page.answer('file.read', { ok: true, value: fileReply() });
    await tryAgain();
    expect(alerts()).toEqual([]);
    expect(texts('.cm-line')).toEqual(['first line', '']);
    expect(document.activeElement).toBe(one('.cm-content'));
  });

  it('shows the unsaved edits once it can be opened', async () => {
    page.answer('file.read', unreachable);
    await show('notes.txt');
    const draft = { text: 'my line', etag: 'e1', version: 'v1', updatedAt: '' };
    page.answer('file.draft', { ok: true, value: { draft } });
    page.answer('file.read', { ok: true, value: fileReply() });
    await tryAgain();
    expect(texts('.cm-line')).toEqual(['my line']);
    expect(pageText()).toContain('Unsaved');
  });

  it('keeps the text if a refresh fails', async () => {
    await show('notes.txt');
    page.answer('file.read', failed('This project has no file "notes.txt".', 'FILE_NOT_FOUND'));
    await refresh();
    expect(alerts()).toEqual(['This project has no file "notes.txt".Try again']);
    expect(texts('.cm-line')).toEqual(['first line', '']);
    page.answer('file.read', { ok: true, value: fileReply({ content: 'back', etag: 'e2' }) });
    await tryAgain();
    expect(alerts()).toEqual([]);
    expect(texts('.cm-line')).toEqual(['back']);
  });

  it('retries a failed save', async () => {
    const draft = { text: 'my line', etag: 'e1', version: 'v1', updatedAt: '' };
    page.answer('file.draft', { ok: true, value: { draft } });
    await show('notes.txt');
    page.answer('file.save', failed('The disk is full.'));
    await click(button('Save'));
    expect(alerts()).toEqual(['The disk is full.Try again']);
    page.answer('file.save', { ok: true, value: { etag: 'e2' } });
    await tryAgain();
    expect(page.callsOf('file.save').map(([, , body]) => body)).toEqual([
      { content: 'my line' },
      { content: 'my line' },
    ]);
    expect(alerts()).toEqual([]);
    expect(pageText()).not.toContain('Unsaved');
  });
});

describe("a picture that can't be read", () => {
  const showPicture = async (code: string): Promise<() => number> => {
    let count = 0;
    const load = async (): Promise<LoadedImage> => {
      count += 1;
      return count === 1
        ? { ok: false, code, message: 'No picture.' }
        : { ok: true, value: { mimeType: 'image/png', data: '' } };
    };
    await render(
      page,
      <ImagesContext value={load}>
        <BinaryFile path="a.png" size={2048} />
      </ImagesContext>,
    );
    return () => count;
  };

  it('says why and tries again', async () => {
    const tries = await showPicture('UNREACHABLE');
    expect(alerts()).toEqual(["Couldn't show a.png.No picture.Try again"]);
    await tryAgain();
    expect(tries()).toBe(2);
    expect(one<HTMLImageElement>('img').alt).toBe('a.png');
  });

  it("is shown as a binary file if it isn't a picture", async () => {
    await showPicture('NOT_SUPPORTED');
    expect(pageText()).toBe('Binary file, 2 KB');
  });
});

describe('a search in files that fails', () => {
  const match = { path: 'src/a.ts', line: 3, column: 1, text: 'const limit = 3;' };
  const finds = (lines: readonly unknown[]): void =>
    page.answer('file.grep', (_project: string, _body: unknown, { onLine }: CallOptions) => {
      for (const line of lines) onLine?.(line);
      return { ok: true, value: lines.at(-1) };
    });
  const search = async (): Promise<void> => {
    await show();
    await click(button('Search'));
    await type(field('Search in files'), 'limit');
    await act(async () => one<HTMLFormElement>('form[role=search]').requestSubmit());
  };

  it('says why, and a retry moves the focus to the search field', async () => {
    page.answer('file.grep', unreachable);
    await search();
    expect(alerts()).toEqual(["Couldn't finish the search.Can't reach the server.Try again"]);
    finds([match, { done: true, truncated: false }]);
    await tryAgain();
    expect(page.callsOf('file.grep')).toHaveLength(2);
    expect(alerts()).toEqual([]);
    expect(texts('.files-match')).toEqual(['src/a.ts:3const limit = 3;']);
    expect(document.activeElement).toBe(field('Search in files'));
  });

  it('keeps the matches found so far', async () => {
    finds([match, { done: true, truncated: true, error: 'This pattern takes too long.' }]);
    await search();
    expect(alerts()).toEqual(["Couldn't finish the search.This pattern takes too long.Try again"]);
    expect(texts('.files-match')).toHaveLength(1);
    expect(pageText()).toContain('1 line or more');
    finds([match]);
    await tryAgain();
    expect(alerts().join()).toContain('The server stopped sending results.');
    expect(buttonNames()).toContain('Try again');
  });
});
