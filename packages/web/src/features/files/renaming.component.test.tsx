import { act, type ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileDraft, MoveFileBody, SaveDraftBody } from '@liminal/contracts';
import { movedPath } from '@liminal/domain/text/moved-path';
import { unsentPrefix } from '../../state/files/file-moves.ts';
import { fileTab, readTab } from '../../state/layout/tab-id.ts';
import { useTabs } from '../../state/workbench/use-workbench.ts';
import { click, focus, press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, field, one, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import FilesView from './files-view.tsx';
import { answerFolders, fileReply } from './testing/sample-folder.ts';

let page: TestPage;
let files: Map<string, string>;
let drafts: Map<string, FileDraft>;

/** A server that moves files and their drafts. */
beforeEach(() => {
  page = createTestPage();
  files = new Map([['src/a.ts', 'first line']]);
  drafts = new Map();
  answerFolders(page, { '': ['src/'], src: ['a.ts'] });
  page.answer('file.read', (_project: string, { path }: { path: string }) => {
    const content = files.get(path);
    if (content === undefined) return failed(`This project has no file "${path}".`, 'FILE_NOT_FOUND');
    return { ok: true, value: fileReply({ path, content }) };
  });
  page.answer('file.draft', (_project: string, { path }: { path: string }) => ({
    ok: true,
    value: { draft: drafts.get(path) ?? null },
  }));
  page.answer('file.saveDraft', (_project: string, { path }: { path: string }, { text, etag }: SaveDraftBody) => {
    drafts.set(path, { text, etag, version: 'v1', updatedAt: '' });
    return { ok: true, value: { version: 'v1' } };
  });
  page.answer('file.move', (_project: string, { from, to }: MoveFileBody) => {
    const moved = (path: string): string => movedPath(path, from, to) ?? path;
    files = new Map([...files].map(([path, text]) => [moved(path), text]));
    drafts = new Map([...drafts].map(([path, draft]) => [moved(path), draft]));
    answerFolders(page, { '': ['lib/'], lib: ['a.ts'], src: ['b.ts'] });
    return { ok: true, value: {} };
  });
});

function ActiveFile(): ReactNode {
  const { active } = useTabs();
  const target = readTab(active ?? '');
  return target.kind === 'file' && <FilesView tab={active ?? ''} path={target.path} />;
}
/** Shows a file with edits that aren't sent to the server by themselves, because time stands still. */
async function showEdited(path: string): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  page.workbench.storage.write(
    `${unsentPrefix({ projectId: 'p' })}${path}`,
    JSON.stringify({ text: 'my line', etag: 'e1', version: null }),
  );
  page.workbench.tabs.show(fileTab('s', path));
  await render(page, <ActiveFile />);
}
async function rename(row: string, to: string): Promise<void> {
  await focus(one(`[data-tree-row="${row}"]`));
  await press('F2');
  await type(field('Path in this folder'), to);
  await click(button('Rename'));
}
/** The tabs marked as unsaved. */
const marked = (): string[] => [...page.workbench.fileViews.unsaved.get()];

describe('FL-3: a file with unsaved edits that is renamed', () => {
  it('keeps them, and its tab follows', async () => {
    await showEdited('src/a.ts');
    expect(pageText()).toContain('Unsaved');
    await rename('src/a.ts', 'src/b.ts');
    expect(texts('.files-path')).toEqual(['src/b.ts']);
    expect(texts('.cm-line')).toEqual(['my line']);
    expect(pageText()).toContain('Unsaved');
    expect(page.workbench.tabs.all()).toContain(fileTab('s', 'src/b.ts'));
    expect(marked()).toEqual([fileTab('s', 'src/b.ts')]);
    expect([...drafts]).toMatchObject([['src/b.ts', { text: 'my line' }]]);
  });

  it('keeps them if a folder above it is renamed, also while another tab is shown', async () => {
    await showEdited('src/a.ts');
    expect(pageText()).toContain('Unsaved');
    await act(async () => page.workbench.tabs.show(fileTab('s', '')));
    await rename('src', 'lib');
    expect(marked()).toEqual([fileTab('s', 'lib/a.ts')]);
    await act(async () => page.workbench.tabs.show(fileTab('s', 'lib/a.ts')));
    expect(texts('.cm-line')).toEqual(['my line']);
    expect(pageText()).toContain('Unsaved');
    expect([...drafts]).toMatchObject([['lib/a.ts', { text: 'my line' }]]);
  });
});
