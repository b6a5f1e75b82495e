import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { tryEverything } from './support/other-page.ts';

let program: Program;
let browser: TestBrowser;
let ready: Ready;
let other: Server;
/** Every cookie header that the other port received, and what it sets in return. */
const stolen: string[] = [];
let planted: string[] = [];
const otherAt = (host: string): string => `http://${host}:${(other.address() as AddressInfo).port}/`;
beforeAll(async () => {
  program = startProgram();
  browser = await launchBrowser();
  ready = await program.ready;
  // A page on another port of the same machine, for example one that an agent built. It shares our cookies.
  other = createServer((request, reply) => {
    stolen.push(request.headers.cookie ?? '');
    reply.setHeader('set-cookie', planted).setHeader('content-type', 'text/html').end('<!doctype html><p>other');
  });
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
      await page.goto(otherAt(host));
      const found = await page.evaluate(tryEverything, `http://127.0.0.1:${ready.port}`);
      expect(found.filter(({ outcome }) => outcome !== 'nothing')).toEqual([]);
      expect(found.length).toBeGreaterThan(60);
      expect(sockets).toEqual([]);
      expect(await everything()).toBe(before);
      console.info(
        `figure | Access | attempts of a page on another port, at ${host} | ${found.length} tried, 0 read, 0 effects`,
      );
      await context.close();
    },
  );
});

describe('our cookie', () => {
  const demo = (page: Page) => page.getByRole('button', { name: 'Try the demo' }).waitFor();

  it('is useless to a program on another port that stole it', async () => {
    const { page, context } = await browser.visitor();
    await page.goto(address());
    await demo(page);
    await page.goto(otherAt('127.0.0.1'));
    const cookie = stolen.at(-1) ?? '';
    expect(cookie).toContain(`liminal_${ready.port}=`);
    const before = await everything();
    const server = `http://127.0.0.1:${ready.port}`;
    const headers = { cookie, origin: server, 'sec-fetch-site': 'same-origin' };
    const tries = [
      ['GET', '/api/projects'],
      ['GET', '/api/openapi.json'],
      ['POST', '/api/demo'],
      ['POST', '/api/sign-in'],
      ['POST', '/api/token/rotate'],
    ] as const;
    for (const [method, path] of tries) {
      expect((await fetch(server + path, { method, headers })).status, `${method} ${path}`).toBe(401);
    }
    const socket = new WebSocket(`ws://127.0.0.1:${ready.port}/ws`, { headers } as never);
    expect(await new Promise((resolve) => (socket.onopen = socket.onerror = ({ type }) => resolve(type)))).toBe(
      'error',
    );
    expect(await everything()).toBe(before);
    await context.close();
  });

  it.each([
    ['with longer paths', (name: string) => ['/assets', '/api', '/ws'].map((path) => `${name}=evil; Path=${path}`)],
    ['in place of ours', (name: string) => [`${name}=evil; Path=/; HttpOnly`]],
    ['in large numbers', () => Array.from({ length: 70 }, (_, n) => `c${n}=${'x'.repeat(3_000)}; Path=/`)],
  ])('set by another port %s doesn’t lock the page out', async (_how, cookies) => {
    const { page, context } = await browser.visitor();
    await page.goto(address());
    await demo(page);
    planted = cookies(`liminal_${ready.port}`);
    await page.goto(otherAt('127.0.0.1'));
    planted = [];
    await page.goto(`http://127.0.0.1:${ready.port}/`);
    await demo(page);
    const second = await context.newPage();
    await second.goto(`http://127.0.0.1:${ready.port}/`);
    await demo(second);
    expect(await banner(second).count()).toBe(0);
    await context.close();
  });
});

describe('signing in', () => {
  it('with a wrong token removes it from the address and lets the user enter the right one', async () => {
    const { page, context, faults } = await browser.visitor();
    const home = `http://127.0.0.1:${ready.port}/`;
    await page.goto(`${home}?token=wrong`);
    await page.getByRole('heading', { name: 'Sign in to Liminal Builder' }).waitFor();
    await page.getByText("The token in that link isn't valid").waitFor();
    expect(page.url()).toBe(home);
    expect(await violations(page)).toEqual([]);
    faults.length = 0;
    await page.getByLabel('Access token').fill('also-wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText("That token isn't valid").waitFor();
    await page.getByLabel('Access token').fill(address());
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Try the demo' }).waitFor();
    expect(page.url()).toBe(home);
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
    await context.close();
  });

  it('works in a page that is reloaded before it has signed in', async () => {
    const { page, context } = await browser.visitor();
    const asked = Promise.withResolvers<void>();
    let isReloaded = false;
    // The first request is never answered: the reload cuts it off.
    await page.route('**/api/sign-in', (route) => (isReloaded ? route.continue() : asked.resolve()));
    await page.goto(address());
    await asked.promise;
    isReloaded = true;
    const read = page.waitForResponse('**/api/workspace');
    await page.reload();
    expect((await read).status()).toBe(200);
    await page.getByRole('button', { name: 'Try the demo' }).waitFor();
    expect(page.url()).toBe(`http://127.0.0.1:${ready.port}/`);
    await context.close();
  });

  it('again in an open page loses nothing in it', async () => {
    const { page: first, context } = await browser.visitor();
    await first.goto(address());
    await first.getByRole('button', { name: 'Try the demo' }).waitFor();
    await first.evaluate(() => localStorage.clear());
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${ready.port}/`);
    await banner(page).getByLabel('Access token').fill(token());
    await banner(page).getByRole('button', { name: 'Sign in' }).click();
    await banner(page).waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('button', { name: 'Try the demo' }).waitFor();
    expect(await banner(page).count()).toBe(0);
    await context.close();
  });
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

  it('can be rotated in the page, which stays signed in; every other browser shows how to sign in again', async () => {
    const [one, two] = [await browser.visitor(), await browser.visitor()];
    for (const { page } of [one, two]) {
      await page.goto(address());
      await page.getByRole('button', { name: 'Try the demo' }).waitFor();
    }
    const old = address();
    await one.page.getByRole('button', { name: 'Settings' }).first().click();
    await one.page.getByRole('button', { name: 'Rotate token…' }).click();
    await one.page.getByRole('button', { name: 'Rotate token', exact: true }).click();
    await one.page.getByText('Token rotated').waitFor();
    expect(address()).not.toBe(old);
    await banner(two.page).getByText('npx liminal token show').waitFor();
    // Its own connection was closed too, and reconnects by itself.
    await expect.poll(() => banner(one.page).count()).toBe(0);
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
