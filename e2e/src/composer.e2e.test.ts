import { message } from '@liminal/domain/timeline/testing/messages';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { endedTurn, inOrder, runningTurn } from './support/samples.ts';
import { type ScriptedServer, scriptServer } from './support/scripted-server.ts';
import { startDemo } from './support/start-demo.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({ demoSpeed: 5 });

const info = {
  modes: [
    { id: 'ask', name: 'Ask first' },
    { id: 'plan', name: 'Plan' },
    { id: 'bypassPermissions', name: 'Bypass permissions', description: 'Never asks' },
  ],
  modeId: 'ask',
  models: [
    { id: 'a', name: 'Small' },
    { id: 'b', name: 'Large' },
  ],
  modelId: 'a',
  context: { used: 160_000, size: 200_000 },
  commands: [{ name: 'deploy-review' }, { name: 'review', description: 'Review the change', hint: 'what' }],
};
const entries = [
  ...inOrder('t1', [message('t1:0:0', { origin: 'user', content: 'the first thing' }), message('t1:1:0')]),
  ...inOrder('t2', [message('t2:0:0', { origin: 'user', content: 'the second thing' }), message('t2:1:0')], 2),
];
const turns = [endedTurn('t1'), endedTurn('t2')];

let page: Page;
let server: ScriptedServer;
const field = () => page.locator('#composer-input');
const sent = () => server.posted.filter(({ path }) => path.endsWith('/send'));

async function open(history = {}): Promise<void> {
  ({ page } = await stage.browser.visitor());
  server = await scriptServer(page, stage.ready, { entries, turns, info, ...history });
  await page.getByRole('log').waitFor();
}

describe('an idle session', () => {
  beforeEach(() => open());

  it('completes the agent’s commands', async () => {
    await field().pressSequentially('/rev');
    const options = page.getByRole('listbox', { name: 'Commands' }).getByRole('option');
    await expect.poll(() => options.allInnerTexts()).toEqual(['/review\n[what] Review the change', '/deploy-review']);
    expect(await violations(page, '.composer')).toEqual([]);
    await field().press('Enter');
    expect(await field().inputValue()).toBe('/review ');
    expect(sent()).toEqual([]);
    await field().pressSequentially('it');
    await field().press('Enter');
    await expect.poll(sent).toMatchObject([{ body: { content: '/review it' } }]);
  });

  it('completes files of the project and sends them as mentions', async () => {
    const files = ['src/sum.ts', 'src/a b.ts'].map((path) => ({ path, kind: 'file', matches: [] }));
    server.answer('/files', { files, total: 2, truncated: false });
    await field().pressSequentially('see @s');
    await page.getByRole('listbox', { name: 'Files' }).getByRole('option').nth(1).waitFor();
    await field().press('ArrowDown');
    await field().press('Tab');
    await expect.poll(() => field().inputValue()).toBe('see @"src/a b.ts" ');
    await field().press('Enter');
    await expect.poll(sent).toMatchObject([{ body: { content: 'see @"src/a b.ts"', mentions: ['src/a b.ts'] } }]);
  });

  it('closes the list on Escape and leaves the text alone', async () => {
    await field().pressSequentially('/rev');
    await page.getByRole('listbox').waitFor();
    await field().press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    expect(await field().inputValue()).toBe('/rev');
  });

  it('recalls earlier messages, but only into an empty field', async () => {
    await field().press('ArrowUp');
    expect(await field().inputValue()).toBe('the second thing');
    await field().press('ArrowUp');
    expect(await field().inputValue()).toBe('the first thing');
    await field().press('ArrowDown');
    await field().press('ArrowDown');
    expect(await field().inputValue()).toBe('');
    await field().fill('a draft');
    await field().press('ArrowUp');
    expect(await field().inputValue()).toBe('a draft');
  });

  it('keeps the draft after a reload, and Shift+Enter inserts a line break', async () => {
    await field().pressSequentially('one');
    await field().press('Shift+Enter');
    await field().pressSequentially('two');
    await page.reload();
    await expect.poll(() => field().inputValue()).toBe('one\ntwo');
  });

  it('asks for confirmation before a mode without permission requests', async () => {
    const modes = () => server.posted.filter(({ path }) => path.endsWith('/mode'));
    const mode = page.getByLabel('Mode', { exact: true });
    await mode.selectOption('plan');
    await expect.poll(modes).toMatchObject([{ body: { modeId: 'plan' } }]);
    await mode.selectOption('bypassPermissions');
    const dialog = page.getByRole('dialog', { name: /act without asking/ });
    await dialog.getByText(/without asking\./).waitFor();
    expect(await violations(page, 'dialog')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(modes()).toHaveLength(1);
    await mode.selectOption('bypassPermissions');
    await dialog.getByRole('button', { name: 'Bypass permissions' }).click();
    await expect.poll(modes).toMatchObject([{}, { body: { modeId: 'bypassPermissions', confirm: true } }]);
  });

  it('shows how full the context is', async () => {
    const meter = page.getByRole('meter', { name: 'Context used' });
    expect(await meter.getAttribute('aria-valuenow')).toBe('80');
    await page.getByText('80%').waitFor();
  });
});

describe('images', () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const put = (how: 'paste' | 'drop', name: string, data: string) =>
    field().evaluate(
      (element, given) => {
        const bytes = Uint8Array.from(atob(given.data), (character) => character.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], given.name, { type: 'image/png' }));
        const event =
          given.how === 'paste'
            ? new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
            : new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
        element.dispatchEvent(event);
      },
      { how, name, data },
    );
  beforeEach(() => open());

  it('can be pasted, dropped or chosen, are shown, can be removed, and are sent with the message', async () => {
    await put('paste', 'one.png', png);
    await put('drop', 'two.png', png);
    const thumbs = page.getByRole('list', { name: 'Attached images' }).getByRole('img');
    await expect.poll(() => thumbs.count()).toBe(2);
    await page
      .getByLabel('Choose images')
      .setInputFiles({ name: 'three.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
    await expect.poll(() => thumbs.count()).toBe(3);
    await page.getByRole('button', { name: 'Remove two.png' }).click();
    await field().fill('what is this?');
    await field().press('Enter');
    await expect.poll(sent).toMatchObject([
      {
        body: {
          content: 'what is this?',
          images: [{ name: 'one.png', mimeType: 'image/png', data: png }, { name: 'three.png' }],
        },
      },
    ]);
    expect(await thumbs.count()).toBe(0);
  });

  it('MM-5: can be sent without text', async () => {
    await put('paste', 'one.png', png);
    await page.getByRole('button', { name: 'Send' }).and(page.locator(':enabled')).waitFor();
    await field().press('Enter');
    await expect.poll(sent).toMatchObject([{ body: { content: '', images: [{ name: 'one.png', data: png }] } }]);
  });

  it('return when a message is removed from the queue, even one without text', async () => {
    const queued = { turnId: 'q1', content: '', createdAt: '2026-01-01T00:00:00.000Z', state: 'waiting' };
    await open({ queue: [{ ...queued, attachments: [{ name: 'one.png', mimeType: 'image/png', size: 70 }] }] });
    const withdraw = page.getByRole('list', { name: 'Queued messages' }).getByRole('button', { name: 'Remove' });
    const thumbs = page.getByRole('list', { name: 'Attached images' }).getByRole('img');
    const withdrawn = () => server.posted.filter(({ method }) => method === 'DELETE');
    server.answer('/images', { error: { code: 'NODE_UNREACHABLE', message: 'That machine is away.' } }, 503);
    await withdraw.click();
    await page.getByText('That machine is away.').waitFor();
    expect(withdrawn()).toEqual([]);
    server.answer('/images', { images: [{ name: 'one.png', mimeType: 'image/png', data: png }] });
    await field().fill('a draft');
    await withdraw.click();
    await expect.poll(() => thumbs.count()).toBe(1);
    expect(await field().inputValue()).toBe('a draft');
    expect(withdrawn()).toMatchObject([{ path: '/api/session/scripted-session/queue/q1' }]);
    await field().press('Enter');
    await expect.poll(sent).toMatchObject([{ body: { content: 'a draft', images: [{ name: 'one.png', data: png }] } }]);
  });

  it('are rejected with a reason if they are invalid or too large', async () => {
    await put('paste', 'evil.png', btoa('<svg onload=alert(1)>'));
    await page.getByText("evil.png isn't a PNG, JPEG, GIF or WebP image.").waitFor();
    const large = Buffer.alloc(5 * 1024 * 1024 + 1);
    large.set(Buffer.from(png, 'base64'));
    await page.getByLabel('Choose images').setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: large });
    await page.getByText(/big.png is 5.0 MB. The limit is 5 MB/).waitFor();
  });
});

describe('a working session', () => {
  it('distinguishes queueing from steering, and stops at once', async () => {
    await open({ turns: [...turns, runningTurn('t3')], status: { state: 'open', activity: 'working', isAlive: true } });
    await page.locator('.activity').getByText('Working').waitFor();
    await field().fill('hurry');
    await page.getByRole('button', { name: 'Steer now' }).click();
    await field().fill('later');
    await page.getByRole('button', { name: 'Queue' }).click();
    await field().fill('now');
    await field().press('Control+Enter');
    await expect
      .poll(sent)
      .toMatchObject([{ body: { mode: 'steer' } }, { body: { content: 'later' } }, { body: { mode: 'steer' } }]);
    expect(sent()[1]?.body).not.toHaveProperty('mode');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stopping…' }).waitFor();
    await page.keyboard.press('Escape');
    expect(server.posted.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1);
    server.say({
      type: 'session:turn',
      payload: { type: 'turn_complete', turnId: 't3', sessionId: 's', status: 'cancelled' },
    });
    server.say({ type: 'session:status', payload: { state: 'open', activity: 'idle', isAlive: true } });
    await page.getByRole('button', { name: /Stop/ }).waitFor({ state: 'hidden' });
    await page.getByRole('log').getByText('Stopped').waitFor();
  });

  it('offers to resend or discard a message that may not have been delivered', async () => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    await open({ queue: [{ turnId: 'q1', content: 'was it heard?', createdAt, state: 'unknown' }] });
    const line = page.getByRole('listitem').filter({ hasText: 'was it heard?' });
    await line.getByText('May not have been delivered').waitFor();
    server.answer('/resend', { turnId: 'q2' }, 202);
    await line.getByRole('button', { name: 'Retry' }).click();
    await line.getByRole('button', { name: 'Discard' }).click();
    const about = () => server.posted.filter(({ path }) => path.includes('/queue/'));
    await expect.poll(about).toMatchObject([
      { method: 'POST', path: '/api/session/scripted-session/queue/q1/resend' },
      { method: 'DELETE', path: '/api/session/scripted-session/queue/q1' },
    ]);
  });

  it('with the demo agent: Escape stops a long answer, and the next message is sent', async () => {
    ({ page } = await stage.browser.visitor());
    await startDemo(page, stage.ready);
    await field().fill('long 5000');
    await field().press('Enter');
    await page.getByRole('log').locator('.markdown').first().waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('log')
      .getByText(/^Stopped/)
      .waitFor();
    await page.getByRole('button', { name: /Stop/ }).waitFor({ state: 'hidden' });
    await field().fill('hello');
    await field().press('Enter');
    await page
      .getByRole('log')
      .getByText(/I am the demo agent/)
      .waitFor();
  });
});
