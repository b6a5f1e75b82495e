import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { callApi, playDemo } from './support/call-api.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({ demoSpeed: 20 });
const poll = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'liminal-work-area-'));
  mkdirSync(join(folder, 'shop', 'src'), { recursive: true });
  writeFileSync(join(folder, 'shop', 'src', 'limiter.ts'), 'export const limit = 60;\n');
  writeFileSync(join(folder, 'shop', 'README.md'), '# The shop\n');
  await playDemo(stage.ready, folder, [['shop', 'Hello there']]);
  const { projects } = await callApi<{ projects: { projectId: string }[] }>(stage.ready, 'GET', 'projects');
  await callApi(stage.ready, 'POST', `projects/${projects[0]?.projectId ?? ''}/trust`, { trusted: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tabs = (page: Page) => page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab');
const tab = (page: Page, name: RegExp) => tabs(page).filter({ hasText: name });
const names = async (page: Page) => (await tabs(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
/** The visible panes, column by column. */
const panes = (page: Page) =>
  page.locator('.pane').evaluateAll((all) => all.map((pane) => pane.getAttribute('aria-label')));
const row = (page: Page, name: string) => page.getByRole('treeitem', { name });
const saved = (page: Page) => page.waitForFunction(() => localStorage.getItem('liminal.workspace.unsent') === null);

async function openSession(page: Page): Promise<void> {
  await page.goto(stage.ready.url);
  await page.getByRole('navigation').getByTitle('Hello there', { exact: true }).click();
  await page.locator('#composer-input').waitFor();
}

/** Drags a tab to a position in the active pane, relative to its width and height. */
async function dragTab(page: Page, name: RegExp, paneName: RegExp, x: number, y: number): Promise<void> {
  const from = await tab(page, name).boundingBox();
  const label = page.getByRole('group', { name: paneName });
  const pane = await ((await label.count()) > 0 ? label : page.locator('.pane')).first().boundingBox();
  if (from === null || pane === null) throw new Error('The tab or the pane is not in sight.');
  await page.mouse.move(from.x + 30, from.y + 15);
  await page.mouse.down();
  await page.mouse.move(pane.x + pane.width * x, pane.y + pane.height * y, { steps: 6 });
  await page.locator('.pane-drop').waitFor();
  await page.mouse.up();
}

describe('the work area', () => {
  it('FL-2 TM-1: has tabs of sessions, reviews, files and terminals, split by drag and by key, restored after a reload', async () => {
    const { page, faults } = await stage.browser.visitor({ width: 1440, height: 900 });
    await openSession(page);
    await page.keyboard.press('Alt+KeyE');
    await row(page, 'src').click();
    await row(page, 'limiter.ts').click();
    await page.locator('.cm-content').getByText('limit').waitFor();
    await row(page, 'README.md').click({ modifiers: ['Control'] });
    await poll(() => names(page)).toEqual(['Hello there', 'limiter.ts', 'README.md']);
    await tab(page, /Hello/).click();
    await page.keyboard.press('Alt+KeyR');
    await page.getByRole('region', { name: 'Review' }).waitFor();
    await page.keyboard.press('Control+Backquote');
    await page.getByRole('button', { name: 'Move to a tab' }).click();
    await poll(() => names(page)).toEqual(['Hello there', 'Review: Hello there', 'bash', 'limiter.ts', 'README.md']);
    await page.getByRole('region', { name: 'Terminals' }).waitFor({ state: 'hidden' });

    await tab(page, /^limiter/).click();
    await dragTab(page, /^\s*Hello/, /limiter/, 0.1, 0.5);
    await poll(() => panes(page)).toEqual(['Hello there', 'limiter.ts']);
    await dragTab(page, /bash/, /limiter/, 0.5, 0.9);
    await poll(() => panes(page)).toEqual(['Hello there', 'limiter.ts', 'bash']);
    expect(await violations(page)).toEqual([]);
    const lower = page.getByRole('separator', { name: 'Lower pane height' });
    const height = async () =>
      (await page.getByRole('group', { name: 'bash', exact: true }).boundingBox())?.height ?? 0;
    const before = await height();
    await lower.focus();
    await page.keyboard.press('ArrowUp');
    await poll(height).toBeGreaterThan(before);

    await saved(page);
    await page.reload();
    await poll(() => panes(page)).toEqual(['Hello there', 'limiter.ts', 'bash']);
    await poll(() => names(page)).toEqual(['Hello there', 'Review: Hello there', 'bash', 'limiter.ts', 'README.md']);
    await poll(height).toBeGreaterThan(before);

    // The terminal has the focus: this key leaves it.
    await page.keyboard.press('Alt+KeyO');
    await poll(() => tabs(page).and(page.locator('[aria-selected=true]')).innerText()).toContain('Hello there');
    await page.keyboard.press('Alt+KeyB');
    await poll(() => page.locator('.pane').count()).toBe(1);
    await tab(page, /README/).click();
    await page.keyboard.press('Alt+Shift+KeyB');
    await poll(() => panes(page)).toEqual(['README.md', 'Hello there']);
    await page.keyboard.press('Alt+KeyO');
    await poll(() => tabs(page).and(page.locator('[aria-selected=true]')).innerText()).toContain('README.md');
    await page.getByRole('button', { name: 'Close this pane (keeps its tab)' }).last().click();
    await poll(() => page.locator('.pane').count()).toBe(1);

    await tab(page, /bash/).click();
    await page.getByRole('button', { name: 'Move to the panel' }).click();
    await page.getByRole('region', { name: 'Terminals' }).waitFor();
    await poll(() => tab(page, /bash/).count()).toBe(0);
    await page.getByRole('button', { name: 'End this terminal' }).click();
    await page.getByRole('button', { name: 'Hide terminals' }).click();
    await saved(page);
    expect(faults).toEqual([]);
  });

  it('FL-3 FL-4: creates, renames, deletes, restores files and adds them to the message from the tree’s menu, by key', async () => {
    const { page, faults } = await stage.browser.visitor({ width: 1440, height: 900 });
    await openSession(page);
    await page.keyboard.press('Alt+KeyE');
    const menu = page.getByRole('menu');
    const choose = async (name: string, item: string): Promise<void> => {
      await row(page, name).focus();
      await page.keyboard.press('Shift+F10');
      await menu.waitFor();
      expect(await violations(page, '[role=menu]')).toEqual([]);
      await menu.getByRole('menuitem', { name: item }).press('Enter');
    };
    const answer = async (path: string): Promise<void> => {
      await page.getByLabel('Path in this folder').fill(path);
      await page.keyboard.press('Enter');
    };
    await row(page, 'src').waitFor();
    await choose('src', 'New file…');
    await poll(() => page.getByLabel('Path in this folder').inputValue()).toBe('src/');
    await answer('src/deep/new.ts');
    await row(page, 'new.ts').waitFor();
    expect(readFileSync(join(folder, 'shop', 'src', 'deep', 'new.ts'), 'utf8')).toBe('');
    await choose('new.ts', 'Rename or move…');
    await answer('src/limiter.ts');
    await page.getByText('A file named "src/limiter.ts" already exists.').waitFor();
    await answer('src/other.ts');
    await row(page, 'other.ts').waitFor();
    await tab(page, /^\s*other\.ts/).waitFor();
    await row(page, 'other.ts').focus();
    await page.keyboard.press('Delete');
    await page.getByText('Deleted src/other.ts.').waitFor();
    expect(existsSync(join(folder, 'shop', 'src', 'other.ts'))).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'other.ts').waitFor();
    // The row may still be there from before.
    await poll(async () => existsSync(join(folder, 'shop', 'src', 'other.ts'))).toBe(true);
    await choose('src', 'Add folder listing to message');
    await poll(() => page.locator('#composer-input').inputValue()).toContain('limiter.ts\nother.ts');
    // Chromium reports the refusal itself, however the page handles it.
    expect(faults.filter((fault) => !fault.includes('412') && !fault.includes('409'))).toEqual([]);
    await saved(page);
  });

  it('shows one thing at a time on a phone, with a bar that switches between them', async () => {
    const { page, faults } = await stage.browser.visitor({ width: 390, height: 844 });
    await page.goto(stage.ready.url);
    const bar = page.getByRole('navigation', { name: 'Parts of this session' });
    const isShown = (selector: string) => page.locator(selector).first().isVisible();
    const parts = async () => ({
      conversation: await isShown('.composer-input'),
      review: await isShown('.review'),
      files: await isShown('.files'),
      terminal: await isShown('.terminal-panel'),
    });
    const only = (name: string) => ({
      conversation: false,
      review: false,
      files: false,
      terminal: false,
      [name]: true,
    });
    for (const [label, name] of [
      ['Review', 'review'],
      ['Files', 'files'],
      ['Terminal', 'terminal'],
      ['Conversation', 'conversation'],
    ] as const) {
      await bar.getByRole('button', { name: label }).click();
      await poll(parts).toEqual(only(name));
      await bar.locator('[aria-current=page]').getByText(label).waitFor();
      expect(await violations(page)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });
});
