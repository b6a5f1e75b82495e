import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { histories } from './support/looks/sample-workbench.ts';
import { callApi } from './support/call-api.ts';
import { scriptServer } from './support/scripted-server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

/** A page used by keyboard alone: no pointer moves over it, and nothing is focused for the user. */
async function openByKeys() {
  const { page, faults } = await stage.browser.visitor();
  page.setDefaultTimeout(30_000);
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => console.error('A pointer was used.'), true);
  });
  await page.goto(stage.ready.url);
  await page.locator('.tab-bar').waitFor();
  onTestFinished(() => expect(faults).toEqual([]));
  const press = (keys: string): Promise<void> => page.keyboard.press(keys);
  const type = (text: string): Promise<void> => page.keyboard.insertText(text);
  const poll = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 30_000 });
  const isAt = (place: Locator): Promise<boolean> =>
    place.first().evaluate((element) => element === document.activeElement);
  const focused = (place: Locator) => poll(() => isAt(place)).toBe(true);
  return {
    page,
    press,
    type,
    poll,
    focused,
    composer: page.locator('.pane-active .composer-input'),
    dialog: page.getByRole('dialog'),
    /** Presses a key until an element has the focus, like a user. */
    async reach(place: Locator, keys = 'Tab', most = 60): Promise<void> {
      await place.first().waitFor();
      for (let count = 0; count < most; count += 1) {
        if (await isAt(place)) return;
        await press(keys);
      }
      expect.fail(`${String(place)} is not reached with ${keys}.`);
    },
    /** Runs an action by its name, from the palette. */
    async act(title: string): Promise<void> {
      await press('Control+KeyK');
      await focused(page.getByRole('combobox', { name: 'Search sessions and actions' }));
      await type(title);
      await page.getByRole('option', { name: title, selected: true }).waitFor();
      await press('Enter');
    },
    async say(text: string): Promise<void> {
      await focused(page.locator('.pane-active .composer-input'));
      await type(text);
      await press('Enter');
    },
  };
}
type ByKeys = Awaited<ReturnType<typeof openByKeys>>;

const turnsEnded = ({ page, poll }: ByKeys, count: number) =>
  poll(() => page.locator('.turn-end-line').count()).toBe(count);

async function allow({ page, press, focused }: ByKeys): Promise<void> {
  await page.locator('.permission[data-keys=ready]').waitFor();
  await press('Alt+KeyP');
  await focused(page.locator('.permission'));
  await press('1');
}

it('by keyboard alone: starts a session, writes, queues, answers, finds, moves through messages, rewinds, exports', async () => {
  const keys = await openByKeys();
  const { page, press, type, reach, focused, dialog, act, say } = keys;
  await reach(page.getByRole('button', { name: 'Try the demo' }));
  await press('Enter');
  await say('hello');
  await turnsEnded(keys, 1);

  await say('edit the greeting');
  await page.locator('.permission').waitFor();
  await say('think about it');
  await page.locator('.queue').getByText('think about it').waitFor();
  await allow(keys);
  await turnsEnded(keys, 3);

  await press('Control+KeyF');
  await focused(page.getByLabel('Find in conversation'));
  await type('greeting');
  await page.getByText(/^\d+ of \d+$/).waitFor();
  await press('Shift+Enter');
  await page.getByText(/^1 of \d+$/).waitFor();
  await press('Escape');
  await focused(keys.composer);

  const message = (text: string) => page.locator('.row-user', { hasText: text });
  await press('Alt+ArrowUp');
  await focused(message('think about it'));
  await press('Alt+ArrowUp');
  await focused(message('edit the greeting'));
  await press('Alt+ArrowDown');
  await focused(message('think about it'));
  await reach(message('think about it').getByRole('button', { name: 'Rewind to before this message' }));
  await press('Enter');
  await dialog.getByRole('button', { name: 'Rewind', exact: true, disabled: false }).waitFor();
  await reach(dialog.getByRole('button', { name: 'Rewind', exact: true }));
  await press('Enter');
  await reach(dialog.getByRole('button', { name: 'Undo rewind' }));
  await press('Enter');
  await dialog.waitFor({ state: 'hidden' });
  await turnsEnded(keys, 3);

  const download = page.waitForEvent('download');
  await act('Export session as Markdown');
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('edit the greeting');
});

it('by keyboard alone: reviews and comments, reads and edits files, uses a terminal and the inspector', async () => {
  const keys = await openByKeys();
  const { page, press, type, reach, focused, composer, poll } = keys;
  await focused(composer);
  await press('Alt+KeyR');
  const review = page.getByRole('region', { name: 'Review' });
  await review.locator('.diff-line').first().waitFor();
  await press('j');
  await press('c');
  await focused(review.locator('.review-editor textarea'));
  await type('Say who is greeted.');
  await press('Control+Enter');
  await review.locator('.review-comment', { hasText: 'Say who is greeted.' }).waitFor();
  await press('Alt+KeyR');
  await focused(composer);

  await press('Alt+KeyE');
  const readme = page.getByRole('treeitem', { name: 'README.md' });
  await focused(page.getByRole('treeitem'));
  await reach(readme, 'ArrowDown');
  await press('Enter');
  await reach(page.locator('.cm-content'));
  await press('Control+Home');
  await type('By key.\n');
  await press('Control+KeyS');
  await poll(async () => readFileSync(join(stage.dataDir, 'demo-project', 'README.md'), 'utf8')).toContain('By key.\n');
  await press('Alt+KeyE');
  await focused(composer);
  await press('Alt+BracketRight');
  await page.locator('.cm-content').waitFor();
  await press('Alt+KeyX');
  await focused(composer);

  await press('Control+Backquote');
  await page.getByRole('region', { name: 'Terminals' }).waitFor();
  await focused(page.locator('.terminal-panel textarea'));
  await page.keyboard.type('echo by-$((40+2))');
  await press('Enter');
  await poll(() => page.locator('.xterm-rows').innerText()).toContain('by-42');
  // A page that opens with the panel doesn't send a user's first words to the shell.
  const isSaved = async (shown: boolean): Promise<boolean> =>
    JSON.stringify(await callApi(stage.ready, 'GET', 'workspace')).includes(`"isShown":${shown}`);
  await poll(() => isSaved(true)).toBe(true);
  const second = await openByKeys();
  await second.page.locator('.terminal-panel .xterm-rows', { hasText: 'by-42' }).waitFor();
  await second.focused(second.composer);
  await second.page.close();
  await press('Control+Backquote');
  await focused(composer);
  await poll(() => isSaved(false)).toBe(true);

  await press('Control+KeyI');
  const details = page.getByRole('complementary', { name: 'Session details' });
  await reach(details.getByRole('tab', { selected: true }));
  await press('ArrowRight');
  await details.getByRole('tab', { name: 'Plan', selected: true }).waitFor();
  await press('Control+KeyI');
  await details.waitFor({ state: 'hidden' });
});

it('by keyboard alone: starts a second session, and goes through tabs, sessions, inbox, search, settings, worktrees', async () => {
  const keys = await openByKeys();
  const { page, press, type, reach, focused, composer, dialog, act, poll } = keys;
  const tabs = page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab');
  const shown = () => tabs.and(page.locator('[aria-selected=true]')).innerText();
  await focused(composer);
  const first = await shown();
  await act('Home');
  await focused(page.getByLabel('First message'));
  await type('permission to clean up');
  await press('Enter');
  await page.locator('.permission').waitFor();
  await poll(() => tabs.count()).toBe(2);

  await press('Alt+Digit1');
  await poll(shown).toBe(first);
  await press('Alt+BracketRight');
  await poll(shown).toContain('clean up');
  await press('Alt+KeyT');
  await page.getByRole('menu', { name: 'Open tabs' }).waitFor();
  await press('Home');
  await press('Enter');
  await poll(shown).toBe(first);
  await reach(page.getByRole('navigation').getByTitle('permission to clean up', { exact: true }), 'Shift+Tab');
  await press('Enter');
  await poll(shown).toContain('clean up');
  await press('Alt+KeyX');
  await poll(() => tabs.count()).toBe(1);

  await press('Alt+KeyI');
  const waiting = page.locator('.inbox-row', { hasText: 'clean up' });
  await focused(waiting.locator('.inbox-open'));
  await press('p');
  await page.getByRole('button', { name: /^Undo/ }).waitFor();
  await press('z');
  await press('Enter');
  await poll(shown).toContain('clean up');
  await allow(keys);
  await turnsEnded(keys, 1);

  await press('Control+Shift+KeyF');
  await focused(page.getByRole('combobox', { name: 'Search' }));
  await type('think about it');
  await page
    .getByRole('option', { name: /think about it/ })
    .first()
    .waitFor();
  await press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await focused(composer);

  await press('Control+Comma');
  await dialog.waitFor();
  const themes = dialog.getByRole('group', { name: 'Theme' }).getByRole('radio');
  await reach(themes.and(page.locator(':checked')));
  await press('ArrowRight');
  await poll(() => themes.nth(1).isChecked()).toBe(true);
  await press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await focused(composer);

  await act('Worktrees');
  await dialog.getByRole('heading', { name: /Worktrees/ }).waitFor();
  await press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await focused(composer);
});

it.each(['keys', 'text without keys'])(
  'what the user enters right after the first Ctrl+K of a page is in the palette, not in the composer: %s',
  async (how) => {
    const { page } = await stage.browser.visitor();
    // Its code arrives only after the text.
    const typed = Promise.withResolvers<void>();
    await page.route(/\/palette-[^/]*\.js$/, async (route) => typed.promise.then(() => route.continue()));
    await scriptServer(page, stage.ready, histories.ended());
    const composer = page.locator('.composer-input');
    await composer.waitFor();
    await page.keyboard.press('Alt+KeyC');
    await expect.poll(() => composer.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+KeyK');
    if (how === 'keys') await page.keyboard.type('settings');
    else await page.keyboard.insertText('settings');
    typed.resolve();
    const palette = page.getByRole('combobox', { name: 'Search sessions and actions' });
    await page.keyboard.type(' of');
    await palette.waitFor();
    expect(await palette.inputValue()).toBe('settings of');
    expect(await composer.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await expect.poll(() => composer.evaluate((field) => field === document.activeElement)).toBe(true);
  },
);

it('by keyboard alone: steers a running turn and queues a message', async () => {
  const { page } = await stage.browser.visitor();
  const server = await scriptServer(page, stage.ready, histories.working());
  const composer = page.locator('.composer-input');
  await composer.waitFor();
  await page.keyboard.press('Alt+KeyC');
  await expect.poll(() => composer.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.keyboard.insertText('Only the unit tests');
  await page.keyboard.press('Control+Enter');
  const sent = () => server.posted.filter(({ path }) => path.endsWith('/send'));
  await expect.poll(sent).toMatchObject([{ body: { content: 'Only the unit tests', mode: 'steer' } }]);
  await page.keyboard.insertText('Then the docs');
  await page.keyboard.press('Enter');
  await expect.poll(sent).toMatchObject([{}, { body: { content: 'Then the docs' } }]);
  expect(sent()[1]?.body).not.toHaveProperty('mode');
});
