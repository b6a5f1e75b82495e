import type { SessionHistory } from '@liminal/contracts';
import { message, toolCall } from '@liminal/domain/timeline/testing/messages';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { atRest } from './support/at-rest.ts';
import { violations } from './support/axe.ts';
import { endedTurn, everything, failedTurn, inOrder, requests, runningTurn } from './support/samples.ts';
import { endGap, log, manyTurns, paragraphs } from './support/many-turns.ts';
import { type ScriptedServer, scriptServer, sessionId } from './support/scripted-server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

const line = (page: Page, name: RegExp) => log(page).getByRole('button', { name });

async function open(history: Partial<SessionHistory>, look = {}): Promise<{ page: Page; server: ScriptedServer }> {
  const { page } = await stage.browser.visitor(look);
  const server = await scriptServer(page, stage.ready, history);
  await log(page).waitFor();
  return { page, server };
}

describe('rows', () => {
  it('show what each call does, to what, and with what result', async () => {
    const { page } = await open(everything(), { height: 1600 });
    await line(page, /^Explored sum\.ts, .+ and 1 more 2 reads, 1 search$/).waitFor();
    await line(page, /^Edited src\/sum\.ts \+3 −2 140 ms$/).waitFor();
    await line(page, /^Run npm test failed, exit 1 3\.2 s$/).waitFor();
    await line(page, /^Run rm -rf build refused$/).waitFor();
    await line(page, /^Fetched https:\/\/example\.org\/docs$/).waitFor();
    await line(page, /^github create_issue A title$/).waitFor();
    await line(page, /^Thought/).waitFor();
    await log(page).getByText('Session started with claude-test').waitFor();
    await log(page).getByText('screen.png').waitFor();
    expect(await log(page).getByText('superseded words').count()).toBe(0);
    expect(await violations(page, '.session')).toEqual([]);
  });

  it('expand on a click: a change line by line, coloured output, a subagent with its steps', async () => {
    const { page } = await open(everything(), { height: 1600 });
    await line(page, /^Edited src\/sum\.ts/).click();
    expect(await log(page).locator('.diff-line.diff-added').count()).toBe(3);
    await line(page, /^Run npm test/).click();
    await log(page).locator('.ansi-red', { hasText: '✗ sums' }).waitFor();
    expect(await line(page, /^Ran ls/).count()).toBe(0);
    await line(page, /^Agent Find every caller of sum 2 steps 21 s$/).click();
    await line(page, /^Searched sum$/).waitFor();
    await line(page, /^Ran ls$/).click();
    await log(page).getByText('There are two callers.').waitFor();
    expect(await violations(page, '.session')).toEqual([]);
  });

  it('show what a running call and a running subagent are doing', async () => {
    const since = new Date(Date.now() - 65_000).toISOString();
    const open1 = { status: 'update' as const, sourceTimestamp: since };
    const items = [
      toolCall('x', { toolKind: 'execute', toolArguments: { command: 'sleep 100' }, ...open1 }),
      toolCall('a', {
        toolName: 'Task',
        toolKind: 'think',
        callId: 'c',
        toolArguments: { description: 'Look' },
        ...open1,
      }),
      toolCall('b', {
        toolKind: 'read',
        parentCallId: 'c',
        toolArguments: { file_path: '/home/you/project/deep.ts' },
        ...open1,
      }),
    ];
    const { page } = await open({ entries: inOrder('t1', items), turns: [runningTurn('t1')] });
    await line(page, /^Running sleep 100 1 min \d+ s$/).waitFor();
    await line(page, /^Agent Look running · 1 step Reading deep\.ts 1 min \d+ s$/).waitFor();
  });

  it('end a turn with one line whose parts can be expanded', async () => {
    const { page } = await open(everything());
    await line(page, /^1 file changed \+3 −2$/).click();
    await log(page).getByRole('button', { name: 'src/sum.ts +3 −2', exact: true }).click();
    await log(page)
      .getByRole('group', { name: /Changes in/ })
      .waitFor();
    await line(page, /^2 commands$/).click();
    expect(await line(page, /^Run npm test/).count()).toBe(2);
    await line(page, /tokens · \$0\.04$/).click();
    await log(page).getByText('90,000').waitFor();
  });

  it('show the last lines of long output first, and load the rest from the server', async () => {
    const whole = Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n');
    const call = toolCall('x', {
      toolKind: 'execute',
      toolArguments: { command: 'seq' },
      toolOutput: whole.slice(-8000),
      toolOutputLength: whole.length,
    });
    const { page, server } = await open({ entries: inOrder('t1', [call]), turns: [endedTurn('t1')] });
    server.answer('/output', whole);
    await line(page, /^Ran seq/).click();
    const output = log(page).locator('.terminal');
    await expect.poll(() => output.innerText()).toMatch(/line 4999$/);
    expect(await output.innerText()).not.toContain('line 4900\n');
    await log(page)
      .getByRole('button', { name: /^Show all/ })
      .click();
    await expect.poll(() => output.innerText()).toContain('line 0\n');
  });

  it('of a failed turn show what to run, and offer to resend the message', async () => {
    const words = "Codex isn't signed in.\n• Run `codex login` in a terminal.";
    const { page, server } = await open({
      entries: inOrder('t1', [message('t1:0:0', { origin: 'user', content: 'do it' })]),
      turns: [failedTurn('t1', 'AGENT_AUTH_REQUIRED', words)],
    });
    await log(page).getByText("Claude Code isn't signed in").waitFor();
    await log(page).locator('pre', { hasText: 'codex login' }).waitFor();
    await log(page).getByRole('button', { name: 'Retry', exact: true }).click();
    await expect
      .poll(() => server.posted.filter(({ path }) => path.endsWith('/send')))
      .toMatchObject([{ body: { content: 'do it' } }]);
  });

  it('highlight finished code, name its language and copy it', async () => {
    const { page } = await open(everything());
    await log(page).locator('.code-keyword', { hasText: 'export' }).first().waitFor();
    await log(page).locator('.code-comment', { hasText: 'larger of two' }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await log(page).getByRole('button', { name: 'Copy code' }).first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('export function larger');
  });

  it('link references to definitions elsewhere in the message, and lose no text', async () => {
    const words = [
      'Read [the guide][guide] first.[^1]',
      '```md\n[guide]\n```',
      '[^1]: It is short',
      '[WARN]: disk',
      '[guide]: https://docs.example/start',
    ];
    const { page } = await open({
      entries: inOrder('t1', [message('t1:1:0', { origin: 'agent', content: words.join('\n\n') })]),
      turns: [endedTurn('t1')],
    });
    const link = log(page).getByRole('link', { name: 'the guide' });
    expect(await link.getAttribute('href')).toBe('https://docs.example/start');
    await log(page).getByText('(docs.example)').waitFor();
    for (const shown of ['It is short', '[WARN]: disk']) await log(page).getByText(shown).waitFor();
    expect(await log(page).getByText('https://docs.example').count()).toBe(0);
  });
});

const jump = (page: Page) => page.getByRole('button', { name: 'Jump to latest' });

describe('the scroll position', () => {
  it('is the end in a fresh browser, even while a request is open', async () => {
    const { page, server } = await open(manyTurns(60));
    await expect.poll(() => endGap(page)).toBe(0);
    server.ask(requests.edit());
    await page.locator('.permission').waitFor();
    await expect.poll(() => endGap(page)).toBe(0);
    expect(await jump(page).count()).toBe(0);
  });

  it('doesn’t jump after a search in a conversation that fits the window', async () => {
    const { page, server } = await open(manyTurns(2));
    const hit = {
      sessionId,
      title: '',
      projectId: 'p1',
      cliType: 'claude-code',
      updatedAt: '2026-01-01T00:00:00.000Z',
    };
    const item = { ...hit, archived: false, where: 'item', turnId: 't0', itemType: 'message', itemId: 't0:0:0' };
    server.answer('/api/search', { hits: [{ ...item, snippet: 'question' }] });
    await page.keyboard.press('Control+KeyF');
    await page.getByLabel('Find in conversation').fill('question');
    await page.locator('.row-found').waitFor();
    expect(await jump(page).count()).toBe(0);
  });

  it('follows new output until the user scrolls up, and stays until they return', async () => {
    const { page, server } = await open(manyTurns(30));
    await expect.poll(() => endGap(page)).toBe(0);
    const grow = (text: string) =>
      server.upsert({ ...message('t29:1:0', { content: text, turnId: 't29', status: 'update' }), order: 59 });
    grow(paragraphs(40));
    await expect.poll(() => log(page).innerText()).toContain('Paragraph 39');
    await expect.poll(() => endGap(page)).toBe(0);
    await log(page).hover();
    await page.mouse.wheel(0, -900);
    await jump(page).waitFor();
    const firstSeen = () =>
      log(page).evaluate(
        (list) => document.elementFromPoint(list.getBoundingClientRect().left + 400, 300)?.textContent,
      );
    await atRest(() => endGap(page));
    await expect.poll(firstSeen).toMatch(/Paragraph/);
    const before = await firstSeen();
    grow(paragraphs(80));
    await expect.poll(() => endGap(page)).toBeGreaterThan(1500);
    expect(await firstSeen()).toBe(before);
    await jump(page).click();
    await expect.poll(() => endGap(page)).toBe(0);
    expect(await jump(page).count()).toBe(0);
  });

  it('doesn’t move when older turns are loaded above', async () => {
    const { page, server } = await open({ ...manyTurns(20, 20), hasMore: true });
    const { promise, resolve } = Promise.withResolvers<unknown>();
    server.answer('/history', promise);
    await expect.poll(() => endGap(page)).toBe(0);
    await log(page).hover();
    const isAtTop = () => log(page).evaluate((list) => list.scrollTop === 0);
    for (let tries = 0; tries < 80 && !(await isAtTop()); tries += 1) await page.mouse.wheel(0, -600);
    await page.mouse.wheel(0, 200);
    const place = () =>
      log(page)
        .getByText(/question 21$/)
        .evaluate((row) => Math.round(row.getBoundingClientRect().top));
    const before = await atRest(place);
    resolve({ ...manyTurns(20), nextBefore: null });
    await expect.poll(() => log(page).evaluate((list) => list.scrollTop)).toBeGreaterThan(1500);
    expect(Math.abs((await atRest(place)) - before)).toBeLessThan(4);
    for (let tries = 0; tries < 80 && !(await isAtTop()); tries += 1) await page.mouse.wheel(0, -900);
    await log(page)
      .getByText(/question 0$/)
      .waitFor();
  });

  it('is kept while another tab is active', async () => {
    const { page } = await open(manyTurns(40));
    await expect.poll(() => endGap(page)).toBe(0);
    await log(page).hover();
    await page.mouse.wheel(0, -2000);
    await jump(page).waitFor();
    await expect.poll(() => log(page).evaluate((list) => list.scrollTop)).toBeGreaterThan(0);
    const before = await atRest(() => log(page).evaluate((list) => list.scrollTop));
    await page.getByText('Liminal Builder').first().click();
    await page.getByRole('tab', { name: /Scripted session/ }).click();
    await expect
      .poll(async () => Math.abs((await log(page).evaluate((list) => list.scrollTop)) - before))
      .toBeLessThan(40);
  });
});
