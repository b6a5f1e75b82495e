import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { launchBrowser, type Look, type TestBrowser } from './support/browser.ts';
import { playDemo } from './support/call-api.ts';

let program: Program;
let browser: TestBrowser;
let ready: Ready;
const folders = mkdtempSync(join(tmpdir(), 'liminal-a11y-'));

beforeAll(async () => {
  program = startProgram({ env: { LIMINAL_DEMO_SPEED: '20' } });
  browser = await launchBrowser({ hasMotion: true });
  ready = await program.ready;
  await playDemo(ready, folders, [
    ['shop', 'edit the greeting'],
    ['shop', 'run a tool'],
    ['site', 'fail'],
  ]);
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  rmSync(folders, { recursive: true, force: true, maxRetries: 5 });
});

const looks = [
  { width: 1280, height: 800, scheme: 'light', isWhole: true },
  { width: 1280, height: 800, scheme: 'dark', isWhole: false },
  { width: 390, height: 844, scheme: 'light', isWhole: false },
  { width: 390, height: 844, scheme: 'dark', isWhole: true },
] as const;

const panels = [
  ['new session', 'Alt+KeyN'],
  ['palette', 'Control+KeyK'],
  ['search', 'Control+Shift+KeyF'],
  ['settings', 'Control+Comma'],
] as const;

async function open(look: Look): Promise<{ page: Page; openList: () => Promise<void> }> {
  const { page } = await browser.visitor(look);
  page.setDefaultTimeout(30_000);
  await page.goto(ready.url);
  const menu = page.getByRole('button', { name: 'Projects and sessions' });
  await page.locator('.tab-bar').waitFor();
  // Wait until the layout is decided: restored tabs that arrive later take the focus.
  await page.locator('.composer-input:visible').first().waitFor();
  return {
    page,
    openList: async () => {
      if (await menu.isVisible()) await menu.click();
    },
  };
}

describe.each(looks)('axe finds no violations at $width in $scheme', (look) => {
  // Each look checks what differs in it; the whole tour runs once per scheme and once per width.
  it('on the first screen, in the sidebar, in sessions and in panels', async () => {
    const { page, openList } = await open(look);
    const clean = async (what: string) => expect([what, await violations(page)]).toEqual([what, []]);
    await openList();
    await page.getByRole('button', { name: 'Liminal Builder' }).click();
    await page.getByRole('heading', { name: 'New session' }).waitFor();
    await clean('home');

    for (const title of look.isWhole ? ['edit the greeting', 'fail', 'run a tool'] : ['edit the greeting']) {
      await openList();
      await page.getByRole('navigation').getByTitle(title, { exact: true }).click();
      await page.locator('.pane-active').getByRole('log').waitFor();
      await clean(title);
    }
    await openList();
    await clean('list');
    if (look.width < 800) {
      await page.keyboard.press('Escape');
      await page.getByRole('navigation', { name: 'Projects and sessions' }).waitFor({ state: 'hidden' });
    }

    for (const [name, keys] of look.isWhole ? panels : panels.slice(0, 1)) {
      await page.keyboard.press(keys);
      await page.getByRole('dialog').waitFor();
      await clean(name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    if (!look.isWhole) return page.context().close();
    await page.keyboard.press('Control+KeyI');
    const details = page.getByRole('complementary', { name: 'Session details' });
    for (const part of ['Changes', 'Plan', 'Tasks', 'Usage', 'Decisions']) {
      await details.getByRole('tab', { name: part }).click();
      await clean(part);
    }
    await page.keyboard.press('Control+KeyI');
    await page.keyboard.press('Alt+KeyB');
    const found = await violations(page);
    await page.keyboard.press('Alt+KeyB');
    // The next page starts with this page's layout.
    await page.waitForFunction(() => localStorage.getItem('liminal.workspace.unsent') === null);
    expect(found).toEqual([]);
    return page.context().close();
  });
});

describe('the keyboard', () => {
  it('reaches everything in reading order, and the focus is always visible', async () => {
    const { page } = await open({});
    await page.getByRole('navigation').getByTitle('run a tool', { exact: true }).click();
    await page.locator('.pane-active .composer-input').waitFor();
    await page.locator('.sidebar-name').focus();
    const seen: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return null;
        const { outlineStyle, boxShadow } = getComputedStyle(element);
        const frame = element.closest('.composer');
        const isSeen =
          outlineStyle !== 'none' || boxShadow !== 'none' || (frame && getComputedStyle(frame).outlineStyle !== 'none');
        const area = ['.sidebar', '.tab-bar', '.virtual-list', '.dock'].find((each) => element.closest(each)) ?? 'edge';
        return { area, isSeen, what: element.outerHTML.slice(0, 120) };
      });
      if (at === null) break;
      expect([at.what, Boolean(at.isSeen)]).toEqual([at.what, true]);
      if (seen.at(-1) !== at.area) seen.push(at.area);
    }
    expect(seen).toEqual(['.sidebar', '.tab-bar', '.virtual-list', '.dock']);
  });

  it('returns to its previous place when a dialog closes', async () => {
    const { page } = await open({});
    const settings = page.getByRole('button', { name: 'Settings' });
    await settings.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => settings.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('shows no motion to users who turned it off', async () => {
    const { page } = await open({});
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const moving = await page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element);
          return parseFloat(transitionDuration) > 0 || parseFloat(animationDuration) > 0;
        }).length,
    );
    expect(moving).toBe(0);
  });
});
