import { message, toolCall } from '@liminal/domain/timeline/testing/messages';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { log, manyTurns } from './support/many-turns.ts';
import { endedTurn, inOrder, request, runningTurn, sampleDiff } from './support/samples.ts';
import { projectDir, scriptServer, sessionId } from './support/scripted-server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();
const longPath = `${projectDir}/packages/web/src/features/timeline/a-file-with-a-name.tsx`;

const choice = (...names: string[]) => names.map((name) => ({ id: name, name }));
/** A composer row as full as agents make it. */
const info = {
  modes: choice('Ask before edits', 'Plan'),
  modeId: 'Ask before edits',
  models: choice('A large model', 'A small one'),
  modelId: 'A large model',
  efforts: choice('medium', 'high'),
  effort: 'medium',
  context: { used: 120_000, size: 200_000 },
};
const working = () => ({
  info,
  turns: [runningTurn('t1')],
  entries: inOrder('t1', [message('t1:0:0', { origin: 'user', content: 'Begin' })]),
});
const withCalls = () => ({
  turns: [endedTurn('t1')],
  entries: inOrder('t1', [
    toolCall('e1', { toolKind: 'edit', toolName: 'Edit', toolArguments: { file_path: longPath }, diffs: [sampleDiff] }),
    message('t1:1:0', { content: 'Done.' }),
    toolCall('x1', {
      toolKind: 'execute',
      toolName: 'Bash',
      toolArguments: { command: 'npm run a-script-with-a-name -- --and --flags' },
      toolOutput: 'exit code 1',
      toolOutputIsError: true,
      durationMs: 3200,
    }),
    message('t1:2:0', { content: 'Done again.' }),
  ]),
});

async function openAt(width: number, history: object = {}) {
  const { page } = await stage.browser.visitor({ width, height: 800 });
  const server = await scriptServer(page, stage.ready, history);
  await page.locator('#composer-input').waitFor();
  return { page, server, composer: page.locator('.pane-active .composer') };
}

/** Two sessions side by side, and the inspector of one. */
async function openSplit(width: number, history: object = {}) {
  const opened = await openAt(width, history);
  await opened.page.addInitScript((left) => {
    const split = { left, right: 'other', ratio: 0.5 };
    localStorage.setItem('liminal.tabs', JSON.stringify({ open: [left, 'other'], active: left, split }));
    localStorage.setItem('liminal.inspector', '1');
  }, sessionId);
  await opened.page.reload();
  await opened.page.getByRole('complementary', { name: 'Session details' }).waitFor();
  return opened;
}

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (box === null) throw new Error('It is not on the page.');
  return box;
};
/** The texts of tool line parts that overlap or leave their line. */
const overlaps = (page: Page) =>
  page.locator('.pane-active .collapsible-line').evaluateAll((lines) =>
    lines.flatMap((line) => {
      const parts = [
        ...(line.querySelector('.collapsible-label')?.children ?? []),
        line.querySelector('.collapsible-chevron'),
      ];
      const boxes = parts.flatMap((part) => (part === null ? [] : [{ part, box: part.getBoundingClientRect() }]));
      const { right } = line.getBoundingClientRect();
      return boxes
        .filter(({ box }, index) => box.right > Math.min(right, boxes[index + 1]?.box.left ?? right) + 1)
        .map(({ part }) => part.textContent);
    }),
  );

describe('two sessions and the inspector', () => {
  it.each([1440, 1100, 900])('leave enough space to read and write at %i px', async (width) => {
    const { page, composer } = await openSplit(width, withCalls());
    await page.locator('.pane-active').getByText('Done again.').waitFor();
    for (const pane of await page.locator('.pane:visible').all())
      expect((await boxOf(pane)).width).toBeGreaterThanOrEqual(340);
    expect((await boxOf(composer)).height).toBeLessThan(130);
    expect(await overlaps(page)).toEqual([]);
    const target = page.locator('.pane-active .collapsible-target').first();
    expect((await boxOf(target)).width).toBeGreaterThan(60);
  });

  it('show the end of a path, which has the file name', async () => {
    const { page } = await openAt(390, withCalls());
    const target = page.locator('.collapsible-target-path');
    await target.waitFor();
    const [end, box] = await target.evaluate((element) => {
      const text = element.querySelector('bdi')?.firstChild;
      if (!(text instanceof Text)) throw new Error('The target has no text.');
      const range = document.createRange();
      range.setStart(text, text.length - '.tsx'.length);
      range.setEnd(text, text.length);
      return [range.getBoundingClientRect().toJSON(), element.getBoundingClientRect().toJSON()];
    });
    expect(end.right).toBeLessThanOrEqual(box.right + 1);
    expect(end.left).toBeGreaterThanOrEqual(box.left);
  });

  it('explain an option below the buttons, across the whole width', async () => {
    const { page, server } = await openSplit(1100);
    server.ask(request('asked'));
    const meaning = page.locator('.pane-active .permission-hints p').first();
    await meaning.waitFor();
    expect((await boxOf(meaning)).width).toBeGreaterThan(200);
  });
});

describe('the composer', () => {
  it.each([1280, 900, 390])(
    'keeps its layout when the user starts typing while the agent works, at %i px',
    async (width) => {
      const { page, server, composer } = await openAt(width, working());
      server.say({ type: 'session:status', payload: { state: 'open', activity: 'working', isAlive: true } });
      await page.getByRole('button', { name: 'Queue' }).waitFor();
      const before = await boxOf(composer);
      await page.locator('#composer-input').fill('x');
      await page.getByRole('button', { name: 'Queue', disabled: false }).waitFor();
      expect(await boxOf(composer)).toEqual(before);
    },
  );

  it('doesn’t let the buttons of the queue editor cover the focus ring of its field', async () => {
    const queue = [{ turnId: 'q1', content: 'later', createdAt: '2026-01-01T00:00:00.000Z' }];
    const { page } = await openAt(1280, { ...working(), queue });
    await page.getByRole('button', { name: 'Edit' }).click();
    const field = await boxOf(page.getByRole('textbox', { name: 'Queued message' }));
    const save = await boxOf(page.getByRole('button', { name: 'Save', exact: true }));
    const ring = 4;
    expect(save.y).toBeGreaterThanOrEqual(field.y + field.height + ring);
  });

  it('doesn’t claim the agent is working while the server is unreachable', async () => {
    const { page, server } = await openAt(1280, working());
    await page.locator('.activity').getByText('Working').waitFor();
    server.disconnect();
    await page.locator('.activity').getByText('Was working when disconnected').waitFor();
    expect(await page.locator('.elapsed').count()).toBe(0);
  });
});

describe('the ends of a long session', () => {
  it('are one press of Home or End away', async () => {
    const { page, server } = await openAt(1280, { ...manyTurns(300, 700), hasMore: true });
    server.answer('/history', { ...manyTurns(700), nextBefore: null });
    await log(page).getByText('Answer 999').waitFor();
    await log(page).press('Home');
    await log(page)
      .getByText(/question 0$/)
      .waitFor();
    await expect.poll(() => log(page).evaluate((list) => list.scrollTop)).toBe(0);
    await log(page).press('End');
    await log(page).getByText('Answer 999').waitFor();
  });
});

describe('on a phone', () => {
  it('returns to the page, not to the sidebar, when settings opened from it close', async () => {
    const { page } = await openAt(390);
    const list = page.getByRole('navigation', { name: 'Projects and sessions' });
    await page.getByRole('button', { name: 'Projects and sessions' }).click();
    await list.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await list.waitFor({ state: 'hidden' });
  });
});

describe('removing a project', () => {
  it('uses the singular for one session', async () => {
    const { page } = await openAt(1280);
    await page.getByRole('button', { name: 'More actions for project' }).click();
    await page.getByRole('menuitem', { name: 'Remove project' }).click();
    await page.getByRole('dialog').getByText('Its session is hidden too.').waitFor();
  });
});
