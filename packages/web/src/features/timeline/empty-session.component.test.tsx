import { expect, it } from 'vitest';
import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import { texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage } from '../../testing/test-page.ts';
import { EmptySession } from './empty-session.tsx';

it('suggests what fits the files of the worktree that the session works in', async () => {
  const page = createTestPage();
  page.answer('project.files', (_project: string, { worktreeId }: { worktreeId?: string }) => ({
    ok: true,
    value: { files: worktreeId === 'w' ? [{ path: 'README.md', kind: 'file' }] : [] },
  }));
  const place = { kind: 'worktree', folder: '/trees/fix', branch: 'fix', worktreeId: 'w' } as const;
  await page.list([sessionSummary({ place })]);
  await render(page, <EmptySession />);
  expect(texts('.timeline-prompt')[0]).toBe('Read @README.md and the code, and explain how this project works.');
});
