import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { capabilities, scriptServer, type ScriptedServer } from './support/scripted-server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({ demoSpeed: 5 });
const wish = { cliType: 'claude-code', projectId: 'p1' };
const models = ['small', 'large'].map((id) => ({ id, name: id }));

const postsTo = (server: ScriptedServer, end: string) => server.posted.filter(({ path }) => path.endsWith(end));

async function openPage() {
  const { page } = await stage.browser.visitor();
  const server = await scriptServer(page, stage.ready);
  const agent = { cliType: 'claude-code', name: 'Claude Code', available: true };
  server.answer('/api/providers', { providers: [{ ...agent, capabilities: { ...capabilities, prepare: true } }] });
  server.answer('/api/session/prepare', { info: { models, modelId: 'small' } });
  server.answer('/api/session/create', { sessionId: 'made', ...wish }, 201);
  await page.locator('#composer-input').waitFor();
  return { page, server, composer: page.locator('.pane-active .composer-input') };
}

const formIn = (page: Page) => page.getByRole('dialog', { name: 'New session' });
const messageIn = (page: Page) => formIn(page).getByRole('textbox', { name: 'First message' });

/** An empty session in a tab, as the form opens it without a message. */
async function openEmpty(page: Page): Promise<void> {
  await page.keyboard.press('Alt+KeyN');
  await formIn(page).getByRole('button', { name: 'Start session' }).click();
  await page.getByRole('tab', { name: 'New session', selected: true }).waitFor();
}

describe('the form for a new session', () => {
  it('opens by one key, prepares the agent, and starts the session with its message on Enter', async () => {
    const { page, server } = await openPage();
    await page.keyboard.press('Alt+KeyN');
    await messageIn(page).waitFor();
    await expect.poll(() => postsTo(server, '/prepare'), { timeout: 10_000 }).toMatchObject([{ body: wish }]);
    await page.keyboard.type('write a test');
    expect(postsTo(server, '/create')).toEqual([]);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => postsTo(server, '/send'))
      .toMatchObject([{ path: '/api/session/made/send', body: { content: 'write a test' } }]);
    expect(postsTo(server, '/create')).toMatchObject([{ body: wish }]);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.locator('#tab-made').waitFor();
  });

  it('keeps its text when it is closed', async () => {
    const { page } = await openPage();
    await page.keyboard.press('Alt+KeyN');
    await messageIn(page).fill('half a thought');
    await page.keyboard.press('Escape');
    await formIn(page).waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+KeyN');
    await expect.poll(() => messageIn(page).inputValue()).toBe('half a thought');
  });

  it('opens again if its key follows Escape at once', async () => {
    const { page } = await openPage();
    await page.keyboard.press('Alt+KeyN');
    await messageIn(page).waitFor();
    const keyboard = await page.context().newCDPSession(page);
    const press = (key: object) => keyboard.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    // A busy page gets all waiting keys before anything else.
    const busy = page.evaluate(() => {
      for (const until = performance.now() + 300; performance.now() < until;);
    });
    await Promise.all([
      busy,
      press({ code: 'Escape', key: 'Escape', windowsVirtualKeyCode: 27 }),
      press({ code: 'KeyN', key: 'n', windowsVirtualKeyCode: 78, modifiers: 1 }),
    ]);
    await messageIn(page).waitFor();
    await page.keyboard.press('Escape');
    await formIn(page).waitFor({ state: 'detached' });
  });

  it('is on the first screen too, where nothing moves while the user types', async () => {
    const { page, server } = await openPage();
    await page.getByRole('navigation').getByText('Liminal Builder').click();
    const field = page.getByRole('textbox', { name: 'First message' });
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    const below = page.getByRole('heading', { name: 'Projects' });
    const before = await below.boundingBox();
    for (let line = 0; line < 6; line += 1) {
      await page.keyboard.type(`line ${line}`);
      await page.keyboard.press('Shift+Enter');
    }
    await expect.poll(() => page.getByRole('main').getByLabel('Model', { exact: true }).count()).toBe(1);
    expect(await below.boundingBox()).toEqual(before);
    await page.keyboard.press('Enter');
    await expect.poll(() => postsTo(server, '/send')).toHaveLength(1);
  });
});

it('from the first screen to a running session in an existing folder: no click, only typing and Enter', async () => {
  const { page } = await stage.browser.visitor();
  await page.addInitScript(() =>
    addEventListener('pointerdown', () => document.body.setAttribute('data-clicked', ''), true),
  );
  const server = await scriptServer(page, stage.ready, {}, { open: [] });
  server.answer('/api/session/create', { sessionId: 'made', ...wish }, 201);
  await page.locator('.start-box .composer-input:focus').waitFor();
  await page.keyboard.insertText('write a test');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => postsTo(server, '/send'))
    .toMatchObject([{ path: '/api/session/made/send', body: { content: 'write a test' } }]);
  expect(await page.locator('[data-clicked]').count()).toBe(0);
});

describe('a new session', () => {
  it('accepts text at once without starting anything, and is created with its first message', async () => {
    const { page, server, composer } = await openPage();
    await page.getByRole('button', { name: 'New session (Alt+N)' }).click();
    await formIn(page).getByRole('button', { name: 'Start session' }).click();
    await page.keyboard.type('write a test ');
    expect(await composer.inputValue()).toBe('write a test ');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(postsTo(server, '/create')).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(() => postsTo(server, '/send')).toMatchObject([{ body: { content: 'write a test' } }]);
    expect(postsTo(server, '/create')).toMatchObject([{ body: wish }]);
  });

  it('keeps accepting text while its agent starts', async () => {
    const { page, server, composer } = await openPage();
    const made = Promise.withResolvers<object>();
    server.answer('/api/session/create', made.promise, 201);
    await openEmpty(page);
    await page.keyboard.type('first');
    await page.keyboard.press('Enter');
    await expect.poll(() => postsTo(server, '/create')).toHaveLength(1);
    await page.keyboard.type('sec');
    made.resolve({ sessionId: 'made', ...wish });
    await page.locator('#tab-made').waitFor();
    await page.keyboard.type('ond');
    expect(await composer.inputValue()).toBe('second');
  });

  it('is reused when chosen again, removed when closed, and never listed', async () => {
    const { page, server } = await openPage();
    const tabs = page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab');
    const before = await tabs.count();
    for (let times = 0; times < 3; times += 1) {
      await openEmpty(page);
    }
    expect(await tabs.count()).toBe(before + 1);
    expect(await page.locator('.sidebar-list').getByText('New session', { exact: true }).count()).toBe(0);
    await page.getByRole('tab', { name: 'New session' }).press('Delete');
    await expect.poll(() => tabs.count()).toBe(before);
    expect(await page.evaluate(() => localStorage.getItem('liminal.new-sessions'))).toBeNull();
    expect(postsTo(server, '/create')).toEqual([]);
  });

  it('keeps text, agent and choices after a reload', async () => {
    const { page, server, composer } = await openPage();
    await openEmpty(page);
    await page.locator('.pane-active').getByLabel('Model', { exact: true }).selectOption('large');
    await composer.fill('not sent yet');
    // Otherwise the page would open with the tabs of the test.
    await page.addInitScript((kept) => localStorage.setItem('liminal.tabs', kept), await storedTabs(page));
    await page.reload();
    await page.getByRole('tab', { name: 'New session', selected: true }).waitFor();
    expect(await composer.inputValue()).toBe('not sent yet');
    await expect.poll(() => page.getByLabel('Model', { exact: true }).inputValue()).toBe('large');
    await composer.press('Enter');
    await expect.poll(() => postsTo(server, '/create')).toMatchObject([{ body: { options: { modelId: 'large' } } }]);
  });

  it('shows why its agent can’t start, and keeps the unsent message', async () => {
    const { page, server, composer } = await openPage();
    const error = { error: { code: 'AGENT_AUTH_REQUIRED', message: "Claude Code isn't signed in." } };
    server.answer('/api/session/prepare', error, 502);
    server.answer('/api/session/create', error, 502);
    await openEmpty(page);
    await page.getByRole('alert').getByText("Claude Code can't start").waitFor();
    await composer.fill('Hello');
    await composer.press('Enter');
    const waiting = page.getByRole('list', { name: 'Queued messages' });
    await waiting.getByText("Claude Code isn't signed in.").waitFor();
    await waiting.getByRole('button', { name: 'Remove' }).click();
    expect(await composer.inputValue()).toBe('Hello');
  });
});

const storedTabs = (page: Page) => page.evaluate(() => localStorage.getItem('liminal.tabs') ?? '');
