import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { tryEverything } from './support/other-page.ts';

let program: Program;
let browser: TestBrowser;
let ready: Ready;
let other: Server;
beforeAll(async () => {
  program = startProgram();
  browser = await launchBrowser();
  ready = await program.ready;
  // What an agent has built, say: a page on another port of the same machine, which shares the cookies.
  other = createServer((_request, reply) =>
    reply.setHeader('content-type', 'text/html').end('<!doctype html><p>other'),
  );
  await new Promise<void>((resolve) => void other.listen(0, resolve));
});
afterAll(async () => {
  other.close();
  await browser.close();
  await program.stop();
});

const token = (): string => readFileSync(join(program.dataDir, 'token'), 'utf8').trim();
const address = (): string => `http://127.0.0.1:${ready.port}/?token=${token()}`;
const banner = (page: Page) => page.locator('.banner-failed');

async function read(path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token()}` };
  return (await fetch(`http://127.0.0.1:${ready.port}${path}`, { headers })).json();
}
const everything = async (): Promise<string> =>
  JSON.stringify([await read('/api/projects'), await read('/api/workspace'), await read('/api/preferences'), token()]);

describe('a page on another port', () => {
  it.each(['127.0.0.1', 'localhost'])(
    'at %s reads nothing and does nothing, with our cookie in the browser',
    async (host) => {
      const { page, context } = await browser.visitor();
      await page.goto(address());
      await page.getByRole('button', { name: 'Try the demo' }).waitFor();
      expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }]);
      const before = await everything();
      const sockets: string[] = [];
      page.on('websocket', (socket) => socket.on('framereceived', () => sockets.push(socket.url())));
      await page.goto(`http://${host}:${(other.address() as AddressInfo).port}/`);
      const found = await page.evaluate(tryEverything, `http://127.0.0.1:${ready.port}`);
      expect(found.filter(({ outcome }) => outcome !== 'nothing')).toEqual([]);
      expect(found.length).toBeGreaterThan(60);
      expect(sockets).toEqual([]);
      expect(await everything()).toBe(before);
      console.info(
        `figure | Who may talk | tries of a page on another port, at ${host} | ${found.length} tried, 0 read, 0 effects`,
      );
      await context.close();
    },
  );
});

describe('the token', () => {
  it('is gone from the address bar, from what scripts can read, and from the history', async () => {
    const { page, context } = await browser.visitor();
    await page.goto(address());
    await page.getByRole('button', { name: 'Try the demo' }).waitFor();
    const seen = await page.evaluate(() =>
      JSON.stringify([
        location.href,
        document.cookie,
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        document.body.innerHTML,
      ]),
    );
    expect(seen).not.toContain(token());
    await page.goto('about:blank');
    await page.goBack();
    expect(page.url()).toBe(`http://127.0.0.1:${ready.port}/`);
    await page.getByRole('button', { name: 'Try the demo' }).waitFor();
    await context.close();
  });

  it('can be changed in the page: it stays in, every other browser is told how to get in again', async () => {
    const [one, two] = [await browser.visitor(), await browser.visitor()];
    for (const { page } of [one, two]) {
      await page.goto(address());
      await page.getByRole('button', { name: 'Try the demo' }).waitFor();
    }
    const old = address();
    await one.page.getByRole('button', { name: 'Settings' }).first().click();
    await one.page.getByRole('button', { name: 'Change the token …' }).click();
    await one.page.getByRole('button', { name: 'Yes, change it now' }).click();
    await one.page.getByText('The token was changed').waitFor();
    expect(address()).not.toBe(old);
    await banner(two.page).getByText('npx liminal token show').waitFor();
    expect(await one.page.evaluate(async () => (await fetch('/api/projects')).status)).toBe(200);
    expect(await one.page.content()).not.toContain(token());
    await one.page.reload();
    await one.page.getByRole('button', { name: 'Try the demo' }).waitFor();
    await two.page.goto(old);
    await two.page.getByText('npx liminal token show').waitFor();
    await two.page.goto(address());
    await two.page.getByRole('button', { name: 'Try the demo' }).waitFor();
    expect(await banner(two.page).count()).toBe(0);
  });
});
