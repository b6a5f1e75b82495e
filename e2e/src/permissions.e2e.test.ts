import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { endedTurn, request, requests } from './support/samples.ts';
import { type ScriptedServer, scriptServer } from './support/scripted-server.ts';
import { startDemo } from './support/start-demo.ts';

let program: Program;
let browser: TestBrowser;
let ready: Ready;
beforeAll(async () => {
  program = startProgram({ env: { LIMINAL_DEMO_SPEED: '20' } });
  browser = await launchBrowser();
  ready = await program.ready;
});
afterAll(async () => {
  await browser.close();
  await program.stop();
});

const card = (page: Page) => page.locator('.permission');
/** The card accepts keys, and has the focus because the user moved there. */
async function settled(page: Page): Promise<void> {
  await page.locator('.permission[data-keys=ready]').waitFor();
  await card(page).focus();
}

async function asked(ask: ReturnType<typeof request>, look = {}): Promise<{ page: Page; server: ScriptedServer }> {
  const { page } = await browser.visitor(look);
  const server = await scriptServer(page, ready, { turns: [endedTurn('t1')] });
  await page.locator('#composer-input').waitFor();
  server.ask(ask);
  await card(page).waitFor();
  return { page, server };
}
const answered = (server: ScriptedServer) => server.posted.filter(({ path }) => path.endsWith('/permission'));

describe('with the demo agent', () => {
  async function ask(words: string): Promise<Page> {
    const { page } = await browser.visitor();
    await startDemo(page, ready);
    await page.locator('#composer-input').fill(words);
    await page.locator('#composer-input').press('Enter');
    await card(page).waitFor();
    return page;
  }

  it('PM-1 PM-2: shows the full command before the options, in every browser, survives a reload and ends everywhere', async () => {
    const first = await ask('permission to clean up');
    await expect.poll(() => card(first).locator('pre').innerText()).toBe('rm -rf build');
    await first.reload();
    await card(first).waitFor();

    const { page: second } = await browser.visitor();
    await second.goto(ready.url);
    await second.getByRole('navigation').getByTitle('permission to clean up').first().click();
    await card(second).waitFor();

    await settled(first);
    await first.keyboard.press('1');
    await card(first).waitFor({ state: 'hidden' });
    await card(second).waitFor({ state: 'hidden' });
    await second.getByText(/Answered elsewhere: Allow once/).waitFor();
    expect(await first.getByText(/Answered elsewhere/).count()).toBe(0);
    await first.getByRole('log').getByText('1 command').waitFor();
  });

  it('PM-1: shows a refused call as refused, not failed, and doesn’t count it as run, even after a reload', async () => {
    const page = await ask('permission please');
    await settled(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await card(page).waitFor({ state: 'hidden' });
    const log = page.getByRole('log');
    await log.getByText('refused', { exact: true }).waitFor();
    await log.getByText('Done', { exact: true }).waitFor();
    expect(await log.getByText(/command(s)?$/).count()).toBe(0);
    expect(await log.getByText('failed').count()).toBe(0);
    await page.reload();
    await log.getByText('refused', { exact: true }).waitFor();
    expect(await log.getByText('failed').count()).toBe(0);
  });

  it('PM-1: a reason for refusing reaches the agent as the next message', async () => {
    const page = await ask('permission with words');
    await settled(page);
    await page.keyboard.press('Escape');
    await card(page).getByRole('textbox').fill('Clean up another day');
    await page.keyboard.press('Enter');
    await card(page).waitFor({ state: 'hidden' });
    await page.getByRole('log').getByText('You wrote: “Clean up another day”').waitFor();
  });

  it('PM-2: ends with the turn and says so', async () => {
    const page = await ask('permission to stop');
    await page.getByRole('button', { name: /Stop/ }).click();
    await card(page).waitFor({ state: 'hidden' });
    await page.getByText(/Request closed/).waitFor();
    await page.locator('#composer-input').waitFor();
  });
});

describe('the contents of a request', () => {
  it('PM-1 PM-3: shows a command with its options and what "always" means, several requests in order with their number', async () => {
    const { page, server } = await asked(requests.command());
    server.ask(requests.edit());
    await card(page).getByText('1 of 2').waitFor();
    await card(page)
      .getByText(/Allows exactly “npm test” in this project; kept in/)
      .waitFor();
    await settled(page);
    expect(await card(page).getByRole('button').allInnerTexts()).toEqual([
      'Allow once\n1',
      'Always allow npm test\n2',
      'Reject\n3',
    ]);
    server.say({
      type: 'session:permission',
      payload: { state: 'answered', request: requests.command(), optionId: 'allow' },
    });
    await card(page).getByText('Edit src/sum.ts').first().waitFor();
    expect(await card(page).getByText('1 of').count()).toBe(0);
  });

  it('PM-1: shows every line of a change', async () => {
    const newText = Array.from({ length: 2000 }, (_, index) => `line ${index}`).join('\n');
    const { page } = await asked(
      request('edit', { title: 'Write it', diffs: [{ path: '/x', oldText: null, newText }] }),
    );
    expect(await card(page).locator('.diff-line').count()).toBe(2000);
    await page.getByRole('button', { name: /Allow once/ }).waitFor();
    expect(await page.getByRole('button', { name: /Allow once/ }).isVisible()).toBe(true);
  });

  it('PM-1: shows everything else a change would do, and long parts can be expanded', async () => {
    const long = 'x'.repeat(5000);
    const { page } = await asked(
      request('edit', {
        title: 'Edit: /x',
        toolName: 'Edit',
        toolArguments: { replace_all: true, other_path: '/etc/passwd', note: long },
        diffs: [{ path: '/x', oldText: 'a\n', newText: 'b\n' }],
      }),
    );
    const values = card(page).locator('.asked-values > div');
    expect(await values.locator('dt').allInnerTexts()).toEqual(['note', 'other_path', 'replace_all']);
    await values.getByText('/etc/passwd').waitFor();
    await values.getByText('1 line, 5k characters').click();
    await values.getByText(long).waitFor();
  });

  it.each([1280, 390])('PM-1: shows a change that scrolls on its own and isn’t cut off, %d wide', async (width) => {
    const text = (word: string) => Array.from({ length: 60 }, (_, index) => `${word} ${index}\n`).join('');
    const diffs = ['/x', '/y'].map((path) => ({ path, oldText: text('old'), newText: text('new') }));
    const { page } = await asked(request('edit', { title: 'Edit: /x', toolName: 'Edit', diffs }), { width });
    const shown = await card(page).evaluate((element) =>
      [...element.querySelectorAll('.diff')].map((diff) => diff.scrollHeight - diff.clientHeight),
    );
    expect(shown).toEqual([0, 0]);
    const room = await card(page)
      .locator('.permission-asked')
      .evaluate(({ clientHeight, scrollHeight }) => [clientHeight > 200, scrollHeight > clientHeight]);
    expect(room).toEqual([true, true]);
    const unseen = await card(page)
      .locator('.permission-answer')
      .evaluate(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight);
    expect(unseen, 'every answer is in view').toBe(0);
    const gap = await card(page)
      .locator('.permission-hints p')
      .first()
      .evaluate((meaning) => {
        const text = document.createRange();
        text.selectNodeContents(meaning);
        return Math.round(meaning.getBoundingClientRect().bottom - text.getBoundingClientRect().bottom);
      });
    expect(gap, 'no empty room below what an answer means').toBeLessThan(8);
    await page.context().close();
  });

  it('PM-1: shows a plan as Markdown, which can be sent back with a reason', async () => {
    const { page, server } = await asked(requests.plan());
    await card(page).getByRole('heading', { name: 'The plan' }).waitFor();
    const field = card(page).getByRole('textbox');
    await settled(page);
    await page.keyboard.press('Escape');
    await field.fill('Smaller steps, please');
    await field.press('Enter');
    await expect
      .poll(() => answered(server))
      .toMatchObject([{ body: { requestId: 'plan', optionId: 'no', feedback: 'Smaller steps, please' } }]);
  });

  it('PM-1: shows questions with single choices, multiple choices and free text', async () => {
    const { page, server } = await asked(requests.questions());
    const send = page.getByRole('button', { name: /^Send/ }).first();
    await card(page).getByLabel('Head').check();
    await card(page).getByLabel('Foot').check();
    expect(await send.isDisabled()).toBe(true);
    await card(page).getByLabel(/Blue/).check();
    await card(page).getByPlaceholder('Your own answer').fill('Purple');
    expect(await card(page).getByLabel(/Blue/).isChecked()).toBe(false);
    await send.click();
    await expect
      .poll(() => answered(server))
      .toMatchObject([{ body: { optionId: 'accept', answers: { colour: ['Purple'], parts: ['Head', 'Foot'] } } }]);
  });

  it('PM-1: shows a form and says what is wrong with it', async () => {
    const { page, server } = await asked(requests.form());
    await card(page).getByLabel('Name').fill('x');
    await card(page).getByText('Enter at least 2 characters.').waitFor();
    await card(page).getByLabel('Name').fill('box');
    await card(page).getByLabel('Port').fill('99999');
    await card(page).getByText('Must be at most 65535.').waitFor();
    await card(page).getByLabel('Port').fill('80');
    await card(page).getByLabel('Place').selectOption('there');
    await card(page).getByRole('button', { name: 'Send' }).click();
    await expect
      .poll(() => answered(server))
      .toMatchObject([{ body: { answers: { name: 'box', port: 80, place: 'there', secure: true } } }]);
  });
});

describe('by keyboard', () => {
  it('PM-3: accepts numbers only with the focus on it, never allows on Enter, and accepts no key at first', async () => {
    const { page, server } = await asked(requests.command());
    await card(page).focus();
    for (const key of ['1', 'Escape', 'Enter']) await page.keyboard.press(key);
    await card(page).getByRole('button', { name: 'Allow once' }).focus();
    for (const key of ['Enter', ' ']) await page.keyboard.press(key);
    await settled(page);
    await page.keyboard.press('Enter');
    expect(answered(server)).toEqual([]);
    await page.keyboard.press('2');
    await expect.poll(() => answered(server)).toMatchObject([{ body: { optionId: 'always' } }]);
  });

  it.each(['', 'half a sentence'])(
    'PM-3: a digit typed into a message answers nothing (text so far: %j)',
    async (text) => {
      const { page } = await browser.visitor();
      const server = await scriptServer(page, ready, {});
      const field = page.locator('#composer-input');
      await field.fill(text);
      server.ask(requests.command());
      await page.locator('.permission[data-keys=ready]').waitFor();
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.type('1 more thing');
      expect(await field.inputValue()).toBe(`${text}1 more thing`);
      expect(answered(server)).toEqual([]);
    },
  );

  it('PM-3: returns the focus to the composer, not to the next request', async () => {
    const { page, server } = await asked(requests.command());
    server.ask(requests.edit());
    await settled(page);
    await page.keyboard.press('1');
    await expect.poll(() => answered(server)).toHaveLength(1);
    server.say({
      type: 'session:permission',
      payload: { state: 'answered', request: requests.command(), optionId: 'allow' },
    });
    await card(page).getByText('Edit src/sum.ts').first().waitFor();
    await page.locator('.permission[data-keys=ready]').waitFor();
    await page.keyboard.type('1 more thing');
    expect(await page.locator('#composer-input').inputValue()).toBe('1 more thing');
    expect(answered(server)).toHaveLength(1);
  });

  it('selects the answer of a single question by number and sends it with Enter', async () => {
    const [question] = requests.questions().questions ?? [];
    const { page, server } = await asked({ ...requests.questions(), questions: [question!] });
    await settled(page);
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await expect.poll(() => answered(server)).toMatchObject([{ body: { answers: { colour: ['Green'] } } }]);
  });
});

it.each(['light', 'dark'] as const)('axe finds no violations in an open request of any kind, %s', async (scheme) => {
  const { page } = await browser.visitor({ scheme });
  const server = await scriptServer(page, ready, { turns: [endedTurn('t1')] });
  await page.locator('#composer-input').waitFor();
  for (const [kind, make] of Object.entries(requests)) {
    server.ask(make());
    await card(page).waitFor();
    expect([kind, await violations(page, '.session')]).toEqual([kind, []]);
    server.say({ type: 'session:permission', payload: { state: 'answered', request: make(), optionId: 'allow' } });
    await card(page).waitFor({ state: 'hidden' });
  }
});
