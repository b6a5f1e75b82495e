import { message } from '@liminal/domain/timeline/testing/messages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { endGap, log, manyTurns } from './support/many-turns.ts';
import { endedTurn, inOrder, runningTurn } from './support/samples.ts';
import { type ScriptedServer, scriptServer } from './support/scripted-server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

async function open(history: object): Promise<{ page: Page; server: ScriptedServer }> {
  const { page } = await stage.browser.visitor();
  const server = await scriptServer(page, stage.ready, history);
  await log(page).waitFor();
  return { page, server };
}

describe('a long session', () => {
  it('of 10,000 items opens at its end and shows rows wherever the user scrolls', async () => {
    const { page } = await open(manyTurns(5000));
    await log(page).getByText('Answer 4999').waitFor();
    await expect.poll(() => endGap(page)).toBe(0);
    const blanks = await log(page).evaluate(async (list) => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const { left, top, width, height } = list.getBoundingClientRect();
      let found = 0;
      for (let step = 0; step < 60; step += 1) {
        list.dispatchEvent(new WheelEvent('wheel', { deltaY: -2000 }));
        list.scrollTop -= 2000;
        await frame();
        await frame();
        const seen = [0.2, 0.4, 0.6, 0.8].map((share) =>
          document.elementFromPoint(left + width / 2, top + height * share),
        );
        if (seen.every((element) => element?.closest('.virtual-list-row') === null)) found += 1;
      }
      return found;
    });
    expect(blanks).toBe(0);
    expect(await page.locator('.virtual-list-row').count()).toBeLessThan(80);
  });

  it('redraws only the row that grows', async () => {
    const { page, server } = await open({ ...manyTurns(20), turns: [...manyTurns(20).turns, runningTurn('t20')] });
    await expect.poll(() => endGap(page)).toBe(0);
    const grow = (text: string) =>
      server.upsert({ ...message('t20:1:0', { content: text, turnId: 't20', status: 'update' }), order: 100 });
    grow('Begun');
    await log(page).getByText('Begun').waitFor();
    await page.evaluate(() => {
      const others = [...document.querySelectorAll('.virtual-list-row')].slice(0, -1);
      const seen = globalThis as unknown as { changes: number };
      seen.changes = 0;
      const watcher = new MutationObserver((records) => (seen.changes += records.length));
      for (const row of others)
        watcher.observe(row.firstElementChild ?? row, { subtree: true, childList: true, characterData: true });
    });
    for (let words = 1; words < 40; words += 1) grow(`Begun ${'and on '.repeat(words)}`);
    await expect.poll(() => log(page).innerText()).toContain('and on '.repeat(39).trim());
    expect(await page.evaluate(() => (globalThis as unknown as { changes: number }).changes)).toBe(0);
  });

  it('jumps to its first message by key, through everything not loaded yet, and back to its end', async () => {
    const { page, server } = await open({ ...manyTurns(300, 700), hasMore: true });
    server.answer('/history', { ...manyTurns(700), nextBefore: null });
    await expect.poll(() => endGap(page)).toBe(0);
    await log(page).press('Control+Home');
    await log(page)
      .getByText(/question 0$/)
      .waitFor();
    await expect.poll(() => log(page).evaluate((list) => list.scrollTop)).toBe(0);
    expect(await page.locator('.virtual-list-row').count()).toBeLessThan(80);
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    await log(page).getByText('Answer 999').waitFor();
    await expect.poll(() => endGap(page)).toBe(0);
  });

  it('with one message of a thousand blocks draws only the visible part', async () => {
    const content = Array.from({ length: 1000 }, (_, index) => `## Part ${index}\n\nText of part ${index}.`).join(
      '\n\n',
    );
    const { page } = await open({ entries: inOrder('t1', [message('t1:1:0', { content })]), turns: [endedTurn('t1')] });
    await log(page).getByText('Text of part 999.').waitFor();
    expect(await log(page).locator('.markdown-block').count()).toBeLessThan(400);
    await log(page).hover();
    for (let tries = 0; tries < 120 && (await log(page).getByText('Text of part 700.').count()) === 0; tries += 1)
      await page.mouse.wheel(0, -800);
    await log(page).getByText('Text of part 700.').waitFor();
  });

  it('with one list of hundreds of items numbers it continuously', async () => {
    const [dots, numbers] = ['-', '.'].map((mark) =>
      Array.from({ length: 300 }, (_, index) => (mark === '-' ? `- dot ${index}` : `${index + 1}. number ${index}`)),
    );
    const content = [...(dots ?? []), '', 'Between.', '', ...(numbers ?? [])].join('\n');
    const { page } = await open({ entries: inOrder('t1', [message('t1:1:0', { content })]), turns: [endedTurn('t1')] });
    await log(page).getByText('number 299').waitFor();
    expect(await log(page).locator('ol').count()).toBeGreaterThan(5);
    const [steps, starts] = await log(page).evaluate((list) => {
      const items = [...list.querySelectorAll('ol > li')].map((item) => item.getBoundingClientRect().top);
      const apart = items.slice(1).map((top, index) => Math.round(top - (items[index] ?? 0)));
      return [[...new Set(apart)], [...list.querySelectorAll('ol')].map((each) => each.start % 16)];
    });
    expect(steps).toHaveLength(1);
    expect([...new Set(starts)]).toEqual([1]);
  });
});
