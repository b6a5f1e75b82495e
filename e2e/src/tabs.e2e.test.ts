import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { callApi, playDemo } from './support/call-api.ts';

let program: Program;
let browser: TestBrowser;
let ready: Ready;
let page: Page;
const folders = mkdtempSync(join(tmpdir(), 'liminal-tabs-'));
const dataDir = join(folders, 'data');

beforeAll(async () => {
  program = startProgram({ dataDir, env: { LIMINAL_DEMO_SPEED: '20' } });
  browser = await launchBrowser();
  ready = await program.ready;
  await playDemo(ready, folders, [
    ['shop', 'Hello there'],
    ['shop', 'Second thing'],
    ['site', 'Hello there'],
    ['site', 'permission to clean up'],
  ]);
});
beforeEach(async () => {
  ({ page } = await browser.visitor());
  page.setDefaultTimeout(30_000);
  await page.goto(ready.url);
  // The page opens with the layout of the last one.
  const { project, layouts = {} } = await callApi<Kept>(ready, 'GET', 'workspace');
  await poll(() => tabs().count()).toBe(layouts[project ?? '']?.tabs.length ?? 0);
});
// Wait until the server has the changes: the next page starts with them.
afterEach(() => saved());
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  rmSync(folders, { recursive: true, force: true, maxRetries: 5 });
});

type Kept = { project?: string | null; layouts?: Record<string, { tabs: readonly string[] }> };
const poll = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });
const tabs = (where = page) => where.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab');
const names = async (where = page) =>
  (await tabs(where).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
const row = (title: string, nth = 0) => page.getByRole('navigation').getByTitle(title, { exact: true }).nth(nth);
const selected = (where = page) => tabs(where).and(where.locator('[aria-selected=true]'));

async function saved(where = page): Promise<void> {
  await where.waitForFunction(() => localStorage.getItem('liminal.workspace.unsent') === null);
}

it('opens a session in one tab only, and no two tabs look the same', async () => {
  await row('Second thing').click();
  // Both have this title; the second is opened next to a session of the other project.
  const inShop = await row('Hello there').evaluate((first) => first.closest('section')?.ariaLabel === 'shop');
  await row('Hello there', inShop ? 0 : 1).click();
  await row('Hello there', inShop ? 1 : 0).click({ modifiers: ['Control'] });
  await row('Second thing').click();
  await poll(() => tabs().count()).toBe(3);
  await poll(async () => (await names()).toSorted()).toEqual(['Hello there shop', 'Hello there site', 'Second thing']);
  const room = await tabs().evaluateAll((all) =>
    all
      .map((tab) => tab.querySelector('.tab-label'))
      .map((words) => (words?.scrollWidth ?? 0) - (words?.clientWidth ?? 0)),
  );
  expect(room).toEqual([0, 0, 0]);
});

it('switches by key, moves by key and by dragging, and closes without ending the session', async () => {
  await page.keyboard.press('Alt+Digit1');
  await poll(() => selected().innerText()).toContain('Second thing');
  await page.keyboard.press('Alt+BracketRight');
  await poll(() => selected().innerText()).toContain('Hello there');
  await page.keyboard.press('Alt+Shift+BracketLeft');
  await poll(async () => (await names())[1]).toBe('Second thing');
  await tabs()
    .nth(0)
    .dragTo(tabs().nth(2), { targetPosition: { x: 90, y: 20 } });
  await poll(async () => (await names())[0]).toBe('Second thing');
  await selected().focus();
  await page.keyboard.press('Delete');
  await poll(() => tabs().count()).toBe(2);
  await row('Hello there').waitFor();
  await row('Hello there', 1).waitFor();
});

it('moves a tab after a long press, but not on a plain swipe', async () => {
  const { page: other, context } = await browser.visitor({ width: 760, height: 844 });
  await other.clock.install();
  await other.goto(ready.url);
  await poll(() => tabs(other).count()).toBe(2);
  // The project is added to the title once the list shows another session with the same one.
  await poll(async () => (await names(other)).join()).toMatch(/Hello there (shop|site)/);
  const before = await names(other);
  const protocol = await context.newCDPSession(other);
  await protocol.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const [first, last] = [await tabs(other).nth(0).boundingBox(), await tabs(other).nth(1).boundingBox()];
  if (first === null || last === null) throw new Error('The tabs are not in sight.');
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
    protocol.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: 20 }] });
  const [from, to] = [last.x + 30, first.x + 10];
  const drag = async (rest: () => Promise<unknown>) => {
    await touch('touchStart', from);
    await rest();
    for (let part = 0.2; part <= 1; part += 0.2) await touch('touchMove', from + (to - from) * part);
    await touch('touchEnd', 0);
  };
  // The page's clock stands still, so the finger moves at once, however busy the machine is.
  await other.clock.pauseAt(Date.now() + 5_000);
  await drag(async () => {});
  await other.clock.resume();
  expect(await names(other)).toEqual(before);
  await drag(() => other.locator('.tab-dragged').waitFor());
  await poll(() => names(other)).toEqual(before.toReversed());
  await saved(other);
  await context.close();
});

it('switches to the session that needs the user', async () => {
  await page.getByRole('button', { name: 'Inbox 1 session needs you' }).waitFor();
  expect(await page.title()).toContain('(1) Needs you');
  await page.keyboard.press('Alt+KeyW');
  await page.locator('.permission').waitFor();
  await poll(() => selected().innerText()).toContain('permission to clean up');
});

it('shows two sessions side by side, each with its own content', async () => {
  await row('permission to clean up').click();
  await page.locator('.permission').waitFor();
  await row('Second thing').click({ modifiers: ['Control'] });
  const panes = page.locator('.pane');
  await poll(() => panes.count()).toBe(2);
  await panes.nth(0).locator('.permission').waitFor();
  await panes.nth(1).getByRole('log').getByText('Second thing').first().waitFor();
  await page.keyboard.press('Alt+KeyO');
  await poll(() => selected().innerText()).toContain('permission to clean up');
  await page.getByRole('separator', { name: 'Left pane width' }).focus();
  const before = (await panes.nth(0).boundingBox())?.width ?? 0;
  await page.keyboard.press('ArrowRight');
  await poll(async () => (await panes.nth(0).boundingBox())?.width ?? 0).toBeGreaterThan(before);
});

it('restores the tabs after a reload, in another browser, and after a server restart', async () => {
  const before = ['permission to clean up', 'Second thing shop'];
  await poll(() => names()).toEqual(before);
  // Wait until the server has the last change.
  await saved();
  await page.reload();
  await poll(() => names()).toEqual(before);
  await poll(() => page.locator('.pane').count()).toBe(2);

  await program.stop();
  await page.getByText(/Disconnected\./).waitFor();
  program = startProgram({ dataDir, args: ['--port', String(ready.port)], env: { LIMINAL_DEMO_SPEED: '20' } });
  ready = await program.ready;
  await page.getByText(/Disconnected\./).waitFor({ state: 'hidden', timeout: 20_000 });
  await poll(() => names()).toEqual(before);

  const { page: other } = await browser.visitor();
  await other.goto(ready.url);
  await poll(() => names(other)).toEqual(before);
  await poll(() => other.locator('.pane').count()).toBe(2);
});

it('restores each project as it was left: its tabs, its split and its terminal panel', async () => {
  const name = (text: string) => page.getByRole('navigation').getByRole('button', { name: text, exact: true });
  const panel = page.getByRole('region', { name: 'Terminals' });
  const shown = async () => ({
    tabs: await names(),
    panes: await page.locator('.pane').count(),
    terminals: await panel.isVisible(),
  });
  const { projects } = await callApi<{ projects: { projectId: string }[] }>(ready, 'GET', 'projects');
  for (const { projectId } of projects) await callApi(ready, 'POST', `projects/${projectId}/trust`, { trusted: true });
  // The guest in this split returns to its own project when the split ends.
  await row('permission to clean up').click();
  await page.keyboard.press('Alt+KeyB');
  await poll(() => page.locator('.pane').count()).toBe(1);
  await row('Second thing').click();
  await row('Hello there').click({ modifiers: ['Control'] });
  await poll(() => page.locator('.pane').count()).toBe(2);
  const shop = await shown();
  expect(shop.tabs).toContain('Second thing');
  await row('permission to clean up').click();
  await page.keyboard.press('Control+Backquote');
  await panel.waitFor();
  const site = await shown();
  expect(site.panes).toBe(1);
  expect(site.tabs).toContain('permission to clean up');
  expect(site.tabs).not.toContain('Second thing');

  await name('shop').click();
  await poll(shown).toEqual(shop);
  await page.keyboard.press('Alt+KeyG');
  await poll(shown).toEqual(site);
  await saved();
  await page.reload();
  await poll(shown).toEqual(site);
  const other = (await browser.visitor()).page;
  await other.goto(ready.url);
  await poll(() => names(other)).toEqual(site.tabs);
  // The terminal has the focus, and its keys.
  await page.getByRole('button', { name: 'Open tabs (Alt+T)' }).click();
  await page.getByRole('menuitem', { name: 'Second thing' }).click();
  await poll(async () => (await shown()).tabs).toEqual(shop.tabs);
  await poll(() => selected().innerText()).toContain('Second thing');
});
