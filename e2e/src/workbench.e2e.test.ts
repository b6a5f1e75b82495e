import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { fakeNotices } from './support/fake-notices.ts';

let program: Program;
let browser: TestBrowser;
let ready: Ready;
let page: Page;
const folders = mkdtempSync(join(tmpdir(), 'liminal-work-'));

beforeAll(async () => {
  for (const name of ['alpha', 'beta', 'home']) mkdirSync(join(folders, name));
  // A home in which no agent is signed in.
  const home = {
    HOME: join(folders, 'home'),
    CODEX_HOME: join(folders, 'home'),
    OPENAI_API_KEY: '',
    CODEX_API_KEY: '',
  };
  program = startProgram({ env: { ...home, LIMINAL_DEMO_SPEED: '20' } });
  browser = await launchBrowser();
  ready = await program.ready;
});
beforeEach(async () => {
  ({ page } = await browser.visitor());
  page.setDefaultTimeout(30_000);
  await page.goto(ready.url);
  await list().waitFor();
});
// The next page opens with the layout that the server has.
afterEach(() => saved());
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  rmSync(folders, { recursive: true, force: true, maxRetries: 5 });
});

const poll = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });
const dialog = () => page.getByRole('dialog');
const list = () => page.getByRole('navigation');
const row = (title: string) => list().getByTitle(title, { exact: true });
const folder = () => page.getByRole('combobox', { name: 'Folder' });
const palette = () => page.getByRole('combobox', { name: 'Search sessions and actions' });

/** Waits until the server has the changes: the next page starts with them. */
const saved = () => page.waitForFunction(() => localStorage.getItem('liminal.workspace.unsent') === null);

async function say(words: string): Promise<void> {
  await page.locator('.composer-input').fill(words);
  await page.locator('.composer-input').press('Enter');
  await row(words).waitFor();
}
async function choose(title: string, item: string): Promise<void> {
  await row(title).click({ button: 'right' });
  await page.getByRole('menuitem', { name: item }).click();
}

async function startWithDemo(): Promise<void> {
  await dialog().getByRole('radio', { name: 'Demo agent' }).check();
  await dialog().getByRole('button', { name: 'Start session' }).click();
}

describe('projects', () => {
  it('are added by typing with completion; a wrong path is rejected', async () => {
    await folder().fill('/no/such/folder');
    await page.keyboard.press('Enter');
    await page.locator('.field-error').waitFor();
    await folder().fill(join(folders, 'al'));
    await page.getByRole('option', { name: 'alpha' }).waitFor();
    await page.keyboard.press('Tab');
    await poll(() => folder().inputValue()).toBe(`${join(folders, 'alpha')}/`);
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('heading', { name: 'New session' }).waitFor();
    await poll(() => page.getByRole('combobox', { name: 'Project' }).locator('option:checked').innerText()).toBe(
      'alpha',
    );
  });

  it('are added by browsing folders too', async () => {
    await list().getByRole('button', { name: 'Add project' }).first().click();
    await dialog().getByRole('combobox', { name: 'Folder' }).fill(`${folders}/`);
    await dialog().getByRole('option', { name: 'beta' }).click();
    await dialog().getByRole('button', { name: 'Add', exact: true }).click();
    await startWithDemo();
    await page.locator('.pane-active .composer-input').waitFor();
    await list().getByRole('button', { name: 'beta', exact: true }).waitFor();
  });

  it('are trusted after the page explains what trust means', async () => {
    await list()
      .getByRole('button', { name: /beta isn't trusted/ })
      .click();
    await dialog().getByText('hooks, which run commands automatically').waitFor();
    await dialog().getByRole('button', { name: 'Trust this folder' }).click();
    await list()
      .getByRole('button', { name: /beta isn't trusted/ })
      .waitFor({ state: 'hidden' });
  });

  it('ask for trust if an agent needs it, then continue; an agent that isn’t signed in says what to do', async () => {
    await list().getByRole('button', { name: 'New session in alpha' }).click();
    await dialog()
      .getByText(/agents? unavailable/)
      .click();
    await dialog()
      .getByText(/isn't installed/)
      .first()
      .waitFor();
    await dialog().getByRole('radio', { name: 'Codex' }).check();
    await dialog().getByRole('button', { name: 'Start session' }).click();
    await dialog().getByRole('button', { name: 'Trust and start Codex' }).click();
    const failure = page.getByRole('alert').filter({ hasText: "Codex can't start" });
    await failure.getByText(/isn't signed in/).waitFor({ timeout: 30_000 });
    await failure.getByRole('button', { name: 'Try again' }).waitFor();
    await page.getByRole('tab', { name: 'New session', selected: true }).press('Delete');
    await list()
      .getByRole('button', { name: /alpha isn't trusted/ })
      .waitFor({ state: 'hidden' });
  });

  it('are removed without changing the disk, and stay collapsed', async () => {
    await list().getByRole('button', { name: 'More actions for alpha' }).click();
    await page.getByRole('menuitem', { name: 'Remove project' }).click();
    await dialog()
      .getByText(/stay as they are/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Remove project' }).click();
    await list().getByRole('button', { name: 'alpha', exact: true }).waitFor({ state: 'hidden' });
    expect(existsSync(join(folders, 'alpha'))).toBe(true);
    const beta = list().getByRole('button', { name: 'Sessions of beta' });
    await beta.click();
    await saved();
    await page.reload();
    await poll(() => beta.getAttribute('aria-expanded')).toBe('false');
    await beta.click();
    await saved();
  });
});

describe('sessions', () => {
  it('are renamed in place, archived, restored, and deleted after a confirmation', async () => {
    await list().getByRole('button', { name: 'New session in beta' }).click();
    await startWithDemo();
    await say('Hello from here');
    await choose('Hello from here', 'Rename');
    await page.getByRole('textbox', { name: 'Session title' }).fill('A better name');
    await page.keyboard.press('Enter');
    await row('A better name').waitFor();

    await choose('A better name', 'Archive');
    await row('A better name').waitFor({ state: 'hidden' });
    await list().getByRole('button', { name: 'Show 1 archived' }).click();
    await choose('A better name', 'Unarchive');
    await row('A better name').click();

    await page.keyboard.press('Alt+KeyN');
    await startWithDemo();
    await page.getByRole('tab', { name: 'New session', selected: true }).waitFor();
    await say('To be deleted');
    await choose('To be deleted', 'Delete');
    await dialog().getByRole('button', { name: 'Delete session' }).click();
    await row('To be deleted').waitFor({ state: 'hidden' });
    await poll(() => page.getByRole('tab', { name: /To be deleted/ }).count()).toBe(0);
  });

  it('report that renaming, archiving or distrusting failed, and stay unchanged', async () => {
    const message = 'The disk is full. Make room and try again.';
    const error = { error: { code: 'STORE_FAILED', message } };
    const refuse = ['**/api/session/*', '**/api/projects/*/trust'];
    for (const path of refuse) await page.route(path, (route) => route.fulfill({ status: 503, json: error }));
    const alert = (what: string) => page.getByRole('alert').getByText(`${what} ${message}`);

    await choose('A better name', 'Rename');
    await page.getByRole('textbox', { name: 'Session title' }).fill('Never seen');
    await page.keyboard.press('Enter');
    await alert("Couldn't rename “A better name”.").waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await alert("Couldn't rename “A better name”.").waitFor({ state: 'hidden' });

    await choose('A better name', 'Archive');
    await alert("Couldn't archive “A better name”.").waitFor();
    expect(await page.getByRole('tab', { name: 'A better name' }).count()).toBe(1);

    await list().getByRole('button', { name: 'More actions for beta' }).click();
    await page.getByRole('menuitem', { name: 'Stop trusting this folder' }).click();
    await alert("Couldn't stop trusting beta.").waitFor();
    for (const path of refuse) await page.unroute(path);
    await choose('A better name', 'Rename');
    await page.getByRole('textbox', { name: 'Session title' }).fill('A better name yet');
    await page.keyboard.press('Enter');
    await alert("Couldn't stop trusting beta.").waitFor({ state: 'hidden' });
    await choose('A better name yet', 'Rename');
    await page.getByRole('textbox', { name: 'Session title' }).fill('A better name');
    await page.keyboard.press('Enter');
    await row('A better name').waitFor();
  });

  it('are found by their text, and open at it', async () => {
    await row('A better name').click();
    for (let count = 1; count <= 12; count += 1) {
      await page.locator('.composer-input').fill(`Message number ${count} with ${count === 2 ? 'kumquat' : 'apples'}`);
      await page.locator('.composer-input').press('Enter');
    }
    // Twelve turns in a row take a while on a busy machine.
    await expect.poll(() => page.getByRole('log').innerText(), { timeout: 60_000 }).toContain('Message number 12');
    await page.getByRole('button', { name: /^Stop/ }).waitFor({ state: 'hidden', timeout: 60_000 });
    await page.keyboard.press('Control+Shift+KeyF');
    await page.getByRole('combobox', { name: 'Search' }).fill('kumquat');
    await page
      .getByRole('option', { name: /Message number 2 with/ })
      .first()
      .click();
    const found = page.getByRole('log').getByText('Message number 2 with kumquat').first();
    await poll(() => found.isVisible()).toBe(true);
    await page.locator('.row-found').getByText('Message number 2 with kumquat').waitFor();
    const place = () =>
      found.evaluate((element) => {
        const log = element.closest('[role=log]')?.getBoundingClientRect();
        return (element.getBoundingClientRect().top - (log?.top ?? 0)) / (log?.height ?? 1);
      });
    await poll(place).toBeGreaterThan(0);
    expect(await place()).toBeLessThan(0.5);
  });
});

describe('the page', () => {
  it('runs every action by name: the palette shows their keys', async () => {
    await page.keyboard.press('Control+KeyK');
    await palette().fill('keyboard');
    await page.getByRole('option', { name: /Keyboard shortcuts/ }).waitFor();
    await page.keyboard.press('Enter');
    await dialog().getByText('Next session that needs you').waitFor();
    await page.keyboard.press('Escape');
  });

  it('keeps settings: the theme in this browser, variable names on the server', async () => {
    await page.keyboard.press('Control+Comma');
    await dialog().getByRole('radio', { name: 'Dark' }).check();
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await dialog().getByRole('radio', { name: 'System' }).check();
    const names = dialog().getByRole('textbox', { name: 'Additional variable names' });
    await names.fill('not a name!');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().locator('.field-error').waitFor();
    await names.fill('MY_TOKEN, OTHER');
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await dialog()
      .getByText(/^Saved/)
      .waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Comma');
    await poll(() => names.inputValue()).toBe('MY_TOKEN, OTHER');
  });

  it('hides the sidebar and shows it again at the same width', async () => {
    await page.getByRole('separator', { name: 'Sidebar width' }).focus();
    await page.keyboard.press('End');
    await poll(async () => (await list().boundingBox())?.width ?? 0).toBeGreaterThan(500);
    await page.keyboard.press('Control+KeyB');
    await list().waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Projects and sessions' }).click();
    await poll(async () => (await list().boundingBox())?.width ?? 0).toBeGreaterThan(500);
  });

  it('notifies about a session that needs the user while the page is hidden, once that is turned on', async () => {
    const { page: away } = await browser.visitor();
    const shown = await fakeNotices(away);
    await away.goto(ready.url);
    await away.getByRole('navigation').getByTitle('A better name', { exact: true }).click();
    await away.getByRole('button', { name: 'Settings' }).click();
    await away.getByRole('button', { name: 'Turn notifications on' }).click();
    await away.getByRole('button', { name: 'Turn notifications off' }).waitFor();
    await away.keyboard.press('Escape');
    await away.locator('.composer-input').fill('ask first, please');
    await away.locator('.composer-input').press('Enter');
    await poll(shown).toEqual(['A better name: Needs you']);
    expect(await away.title()).toContain('(1) Needs you');
    await away.keyboard.press('Escape');
    await away.context().close();
  });
});
