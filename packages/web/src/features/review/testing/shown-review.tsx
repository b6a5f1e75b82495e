import { act } from 'react';
import { expect } from 'vitest';
import type { ChangedFile, ChangedFileReply, ChangesReply, ReviewComment } from '@liminal/contracts';
import { parseHunks } from '@liminal/domain/review/parse-hunks';
import { select } from '../../../testing/events.ts';
import { field, texts } from '../../../testing/queries.ts';
import { render } from '../../../testing/render.tsx';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { createTestPage, project, projectDir, type TestPage } from '../../../testing/test-page.ts';
import Review from '../review.tsx';

export const file = (part: Partial<ChangedFile> = {}): ChangedFile => ({
  path: 'src/a.ts',
  change: 'modified',
  additions: 1,
  deletions: 1,
  binary: false,
  size: 20,
  bySession: true,
  staged: 'no',
  oldId: 'o1',
  newId: 'n1',
  ...part,
});
export const list = (part: Partial<ChangesReply> = {}): ChangesReply => {
  const files = part.files ?? [file()];
  return {
    source: 'git',
    notices: [],
    folder: projectDir,
    branch: 'main',
    checkpoint: 'kept',
    total: files.length,
    truncated: false,
    notKept: [],
    ...part,
    files,
  };
};
export const patch = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -10,3 +10,3 @@
 one
-two
+three
 four
`;
export const body = (part: Partial<ChangedFileReply> = {}): ChangedFileReply => ({
  path: 'src/a.ts',
  oldId: 'o1',
  newId: 'n1',
  patch,
  hunks: parseHunks(patch),
  binary: false,
  tooLarge: false,
  ...part,
});
export const comment = (part: Partial<ReviewComment> = {}): ReviewComment => ({
  commentId: 'c1',
  scope: 'session',
  path: 'src/a.ts',
  side: 'new',
  startLine: 11,
  endLine: 11,
  quote: 'three',
  text: 'Why three?',
  state: 'draft',
  outdated: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...part,
});

/** Waits until something is on the page, and renders updates meanwhile. */
export async function until<T>(check: () => T, deadline = Date.now() + 10_000): Promise<T> {
  await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  try {
    return check();
  } catch (error) {
    if (Date.now() > deadline) throw error;
    return until(check, deadline);
  }
}

type Shown = { readonly reply?: ChangesReply; readonly file?: ChangedFileReply; readonly comments?: ReviewComment[] };

export async function show({ reply = list(), file: read = body(), comments = [] }: Shown = {}): Promise<TestPage> {
  const page = createTestPage();
  page.answer('session.changes', { ok: true, value: reply });
  page.answer('session.changedFile', { ok: true, value: read });
  page.answer('worktree.branches', { ok: true, value: { branches: [] } });
  page.answer('session.comments', { ok: true, value: { comments } });
  await page.list([summary()], [project()]);
  page.workbench.reviews.open('s');
  await render(page, <Review canSteer />);
  if (reply.files.length > 0) await until(() => expect(document.querySelector('.review-head')).not.toBeNull());
  return page;
}
export const choose = (scope: string): Promise<void> => select(field<HTMLSelectElement>('Scope'), scope);
export const lines = (): Promise<string[]> =>
  until(() => {
    const shown = texts('.diff-line');
    expect(shown).not.toEqual([]);
    return shown;
  });
