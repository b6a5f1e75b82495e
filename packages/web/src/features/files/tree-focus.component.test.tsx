import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiResult } from '@liminal/client/call-routes';
import { fileTab } from '../../state/layout/tab-id.ts';
import { click, focus, press } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, one, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import FilesView from './files-view.tsx';
import { answerFolders, fileReply } from './testing/sample-folder.ts';

const row = (key: string): HTMLElement => one(`[data-tree-row="${key}"]`);
const focused = (): string | null => document.activeElement?.getAttribute('data-tree-row') ?? null;
/** The rows that Tab moves to. */
const tabStops = (): (string | null)[] =>
  [...document.querySelectorAll('[role=treeitem][tabindex="0"]')].map((each) => each.getAttribute('data-tree-row'));
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `file-${1000 + index}.ts`);

let page: TestPage;
beforeEach(() => {
  page = createTestPage();
  answerFolders(page, { '': ['src/', 'a.txt', 'b.txt', 'c.txt'], src: ['one.ts'] });
  page.answer('file.read', { ok: true, value: fileReply() });
  page.answer('file.draft', { ok: true, value: { draft: null } });
});
const show = (path = ''): Promise<unknown> => render(page, <FilesView tab={fileTab('s', path)} path={path} />);
/** The view refreshes when the window gets the focus. */
const readAgain = (): Promise<void> => act(async () => void dispatchEvent(new Event('focus')));

describe('the focus in the tree after a refresh', () => {
  it('stays on its row if nothing changed, or if rows around it changed', async () => {
    await show();
    await focus(row('b.txt'));
    const held = row('b.txt');
    await readAgain();
    expect(document.activeElement).toBe(held);
    answerFolders(page, { '': ['lib/', 'src/', 'aa.txt', 'b.txt'] });
    await readAgain();
    expect(texts('.files-row')).toEqual(['lib', 'src', 'aa.txt', 'b.txt']);
    expect(document.activeElement).toBe(held);
    await press('ArrowUp');
    expect(focused()).toBe('aa.txt');
  });

  it('stays on its row if more rows are added above it than are rendered', async () => {
    await show();
    await click(row('src'));
    await focus(row('b.txt'));
    const held = row('b.txt');
    answerFolders(page, { '': ['src/', 'a.txt', 'b.txt', 'c.txt'], src: many(500) });
    await readAgain();
    expect(document.activeElement).toBe(held);
    await press('ArrowDown');
    expect(focused()).toBe('c.txt');
    await press('Home');
    expect(focused()).toBe('src');
  });

  it('moves to the next row if its own is gone, or to the last one', async () => {
    await show();
    await focus(row('b.txt'));
    answerFolders(page, { '': ['src/', 'a.txt', 'c.txt'] });
    await readAgain();
    expect(focused()).toBe('c.txt');
    answerFolders(page, { '': ['src/', 'a.txt'] });
    await readAgain();
    expect(focused()).toBe('a.txt');
    await press('ArrowUp');
    expect(focused()).toBe('src');
  });

  it('leaves a folder that no longer exists', async () => {
    await show();
    await click(row('src'));
    await focus(row('src/one.ts'));
    answerFolders(page, { '': ['a.txt', 'b.txt'] });
    await readAgain();
    expect(focused()).toBe('a.txt');
  });

  it('stays outside the tree if it was there', async () => {
    await show();
    await focus(row('b.txt'));
    await focus(button('New file'));
    answerFolders(page, { '': ['src/', 'a.txt'] });
    await readAgain();
    expect(document.activeElement).toBe(button('New file'));
  });

  it('moves into a folder that could be read on a retry', async () => {
    answerFolders(page, { '': ['src/', 'a.txt'], src: failed('Try later.') });
    await show();
    await click(row('src'));
    await focus(button('Try again'));
    answerFolders(page, { '': ['src/', 'a.txt'], src: ['one.ts'] });
    await press('Enter');
    expect(focused()).toBe('src/one.ts');
  });

  it("isn't moved by an outdated answer that arrives late", async () => {
    await show();
    const late = Promise.withResolvers<ApiResult<unknown>>();
    page.answer('file.tree', late.promise);
    await readAgain();
    answerFolders(page, { '': ['a.txt', 'new.txt'] });
    await readAgain();
    await focus(row('new.txt'));
    await act(async () => late.resolve({ ok: true, value: { entries: [], truncated: false } }));
    expect(focused()).toBe('new.txt');
  });
});

describe('the arrow keys in the tree', () => {
  it('move with every press, even before the next frame', async () => {
    vi.stubGlobal('requestAnimationFrame', () => 0);
    await show();
    await focus(row('src'));
    await press('ArrowDown');
    await press('ArrowDown');
    await press('ArrowDown');
    expect(focused()).toBe('c.txt');
  });

  it('set where Tab returns to, even after a refresh', async () => {
    await show('a.txt');
    expect(tabStops()).toEqual(['a.txt']);
    await focus(row('a.txt'));
    await press('ArrowDown');
    expect(tabStops()).toEqual(['b.txt']);
    await readAgain();
    expect(tabStops()).toEqual(['b.txt']);
  });

  it('stay in their own tree if two are visible', async () => {
    await show();
    await show();
    const [, second] = document.querySelectorAll<HTMLElement>('[role=tree]');
    await focus(second!.querySelector<HTMLElement>('[data-tree-row=src]')!);
    await press('ArrowDown');
    expect(focused()).toBe('a.txt');
    expect(second!.contains(document.activeElement)).toBe(true);
  });
});
