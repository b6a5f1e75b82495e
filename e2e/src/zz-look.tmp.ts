import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProgram } from '@liminal/stand-ins/testing/start-program';
import { launchBrowser } from './support/browser.ts';

const out = '/tmp/webA';
const folders = mkdtempSync(path.join(tmpdir(), 'look-'));
const program = startProgram({ env: { LIMINAL_DEMO_SPEED: '10' } });
const browser = await launchBrowser();
try {
  const ready = await program.ready;
  const call = async (method: string, route: string, body?: unknown) => {
    const reply = await fetch(`http://127.0.0.1:${ready.port}${route}`, {
      method,
      headers: { authorization: `Bearer ${ready.token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await reply.text();
    if (!reply.ok) console.log(method, route, reply.status, text);
    return text === '' ? {} : JSON.parse(text);
  };
  const make = async (name: string, ...says: string[]) => {
    const dir = path.join(folders, name);
    mkdirSync(dir, { recursive: true });
    const { sessionId } = await call('POST', '/api/session/create', { cliType: 'demo', projectDir: dir });
    for (const content of says) await call('POST', `/api/session/${sessionId}/send`, { content });
    return sessionId as string;
  };
  const ids = [
    await make('shop', 'Run the tests before we change the greeting', 'run a tool'),
    await make('shop', 'edit the greeting so that it says hello to everyone in the room'),
    await make('website', 'ask permission to run the deploy script'),
    await make('website', 'Think about where the greeting is used'),
    await make('website', 'Run the tests before we change the greeting'),
    await make('website', 'fail'),
  ];
  await new Promise((r) => setTimeout(r, 2500));
  for (const [name, look] of [
    ['d-light', { width: 1280, height: 800, scheme: 'light' }],
    ['d-dark', { width: 1280, height: 800, scheme: 'dark' }],
    ['p-light', { width: 390, height: 844, scheme: 'light' }],
  ] as const) {
    const { page, faults } = await browser.visitor(look);
    const snap = (what: string) => page.screenshot({ path: `${out}/${name}-${what}.png`, animations: 'disabled' });
    await page.goto(ready.url);
    await page.locator('.tab-bar').waitFor();
    await page.waitForTimeout(1200);
    await snap('1-welcome');
    const narrow = look.width < 800;
    const openList = async () => narrow && (await page.getByRole('button', { name: 'Projects and sessions' }).click());
    for (const id of ids) await page.evaluate((x) => x, id);
    for (const title of [/Run the tests/, /edit the greeting/, /ask permission/, /Think about/, /fail/]) {
      await openList();
      await page.locator('.session-link', { hasText: title }).first().click();
      await page.waitForTimeout(250);
    }
    await openList();
    await page.locator('.session-link', { hasText: /Run the tests/ }).nth(1).click();
    await page.waitForTimeout(400);
    await snap('2-session');
    await openList();
    await page.waitForTimeout(300);
    await snap('3-list');
    if (narrow) await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.waitForTimeout(400);
    await snap('4-palette');
    await page.keyboard.type('greet');
    await page.waitForTimeout(700);
    await snap('5-palette-search');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+n');
    await page.waitForTimeout(300);
    await snap('6-new');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+,');
    await page.waitForTimeout(400);
    await snap('7-settings');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+i');
    await page.getByRole('tab', { name: 'Usage' }).click();
    await page.waitForTimeout(500);
    await snap('8-inspector');
    await page.keyboard.press('Control+i');
    await page.keyboard.press('Alt+b');
    await page.waitForTimeout(500);
    await snap('9-split');
    await page.keyboard.press('Alt+b');
    if (!narrow) {
      await page.locator('.session-row').first().hover();
      await page.locator('.session-more').first().click();
      await page.waitForTimeout(200);
      await snap('10-menu');
      await page.keyboard.press('Escape');
      await page.locator('.project-untrusted').first().click();
      await page.waitForTimeout(200);
      await snap('11-trust');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Add a project folder' }).first().click();
      await page.keyboard.type(`${folders}/w`);
      await page.waitForTimeout(500);
      await snap('12-add');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Shortcuts/ }).click();
      await page.waitForTimeout(300);
      await snap('13-keys');
      await page.keyboard.press('Escape');
    }
    console.log(name, faults);
    await page.context().close();
  }
} finally {
  await browser.close();
  await program.stop();
}
