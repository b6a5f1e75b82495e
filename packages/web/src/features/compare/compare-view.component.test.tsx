import { act } from 'react';
import { describe, expect, it } from 'vitest';
import type { Candidate, Comparison } from '@liminal/contracts';
import { click, select } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, field, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage } from '../../testing/test-page.ts';
import CompareView from './compare-view.tsx';

const candidate = (candidateId: string, part: Partial<Candidate> = {}): Candidate => ({
  candidateId,
  cliType: 'demo',
  state: 'done',
  sessionId: `session-${candidateId}`,
  canRetry: false,
  changes: { files: 2, additions: 5, deletions: 1 },
  durationMs: 61_000,
  usage: { inputTokens: 1000, outputTokens: 200 },
  costUsd: 0.25,
  ...part,
});
const comparison = (part: Partial<Comparison> = {}): Comparison => ({
  compareId: 'c',
  projectId: 'p',
  content: 'Add pagination',
  base: 'main',
  baseCommit: 'b',
  createdAt: '2026-01-01T00:00:00.000Z',
  candidates: [candidate('one'), candidate('two', { state: 'working' })],
  files: [],
  ...part,
});

async function open(shown: Comparison) {
  const page = createTestPage();
  page.answer('compare.read', { ok: true, value: shown });
  await page.list([]);
  await act(async () => page.workbench.comparing.open('c'));
  await render(page, <CompareView column={(sessionId) => <p className="live">{sessionId}</p>} />);
  return page;
}

describe('a comparison in the page', () => {
  it('CM-2: shows every candidate live in a column, and the results in a table', async () => {
    const check = { command: 'npm test', state: 'failed', exitCode: 3, output: 'no' } as const;
    await open(comparison({ candidates: [candidate('one', { check }), candidate('two', { state: 'waiting' })] }));
    expect(texts('.live')).toEqual(['session-one', 'session-two']);
    expect(texts('.compare-name')).toEqual(['Demo (1)', 'Demo (2)']);
    expect(texts('tbody tr')[0]).toContain('Demo (1)Done+5 −12 files');
    expect(texts('tbody tr')[0]).toContain('Failed (exit code 3)');
    expect(texts('.compare-state')).toEqual(['Done', 'Needs you']);
  });

  it('CM-2: opens the review of a candidate against the base', async () => {
    const page = await open(comparison());
    await click(button('Review changes of Demo (2)'));
    const { reviews, tabs } = page.workbench;
    expect(tabs.get()).toMatchObject({
      open: ['s', 'session-two', 'review:session-two'],
      active: 'review:session-two',
    });
    expect(reviews.sought.get()).toEqual({ sessionId: 'session-two', place: { scope: 'base' } });
  });

  it('CM-2: shows the files of the candidates side by side', async () => {
    const page = await open(
      comparison({
        files: [{ path: 'a.ts', candidates: [{ candidateId: 'one', change: 'modified', contentId: 'x' }] }],
      }),
    );
    page.answer('session.changedFile', { ok: true, value: { patch: '--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n' } });
    await click(button('a.ts1 of 2'));
    expect(page.callsOf('session.changedFile')).toEqual([['session-one', { scope: 'base', base: 'b', path: 'a.ts' }]]);
    expect(texts('.compare-side')).toEqual(['Demo (1)@@ -1 +1 @@ -old +new', 'Demo (2)Not changed.']);
  });

  it('CM-3: keeps a candidate that has ended, in the chosen way, and offers undo', async () => {
    const page = await open(comparison());
    expect(button('Keep Demo (2)').disabled).toBe(true);
    await select(field<HTMLSelectElement>('Keep by'), 'squash');
    page.answer('compare.keep', failed('Both changed the same lines of a.ts. Nothing was merged.'));
    await click(button('Keep Demo (1)'));
    expect(page.callsOf('compare.keep')).toEqual([['c', { candidateId: 'one', merge: 'squash' }]]);
    expect(pageText()).toContain('Both changed the same lines of a.ts.');
    const kept = { candidateId: 'one', at: '2026-01-01T00:00:00.000Z', parked: false };
    page.answer('compare.read', { ok: true, value: comparison({ kept }) });
    await act(async () => page.workbench.comparing.refresh());
    expect(pageText()).toContain('Demo (1) is kept. The others will be parked in a moment.');
    await click(button('Undo'));
    expect(page.callsOf('compare.undoKeep')).toEqual([['c']]);
  });

  it('CM-3: shows why a candidate failed to start, and retries it', async () => {
    const { sessionId: _none, ...rest } = candidate('two');
    const two: Candidate = { ...rest, state: 'failed', canRetry: true, error: "It isn't signed in." };
    const page = await open(comparison({ candidates: [candidate('one'), two] }));
    expect(pageText()).toContain("It isn't signed in.");
    await click(button('Retry Demo (2)'));
    expect(page.callsOf('compare.retry')).toEqual([['c', { candidateId: 'two' }]]);
  });

  it('shows why a comparison can’t be loaded', async () => {
    const page = createTestPage();
    page.answer('compare.read', failed('There is no such comparison.'));
    await act(async () => page.workbench.comparing.open('gone'));
    await render(page, <CompareView column={() => null} />);
    expect(pageText()).toContain('There is no such comparison.');
  });
});
