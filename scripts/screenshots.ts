import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchBrowser, type Look, type TestBrowser } from '@liminal/e2e/src/support/browser.ts';
import { callApi } from '@liminal/e2e/src/support/call-api.ts';
import { type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';

type Page = Awaited<ReturnType<TestBrowser['visitor']>>['page'];
type Studio = { readonly browser: TestBrowser; readonly ready: Ready };

const images = path.resolve(import.meta.dirname, '../docs/images');
const largest = 200 * 1024;
const phone: Look = { width: 390, height: 844 };
const schemes = ['light', 'dark'] as const;
const main = 'Run the tests before we change the greeting';
const beside = 'Think about where the greeting is used';

/** `npm run screenshots`: starts the program with the demo agent and writes the pictures of the documentation anew. */
async function takeAll(): Promise<void> {
  mkdirSync(images, { recursive: true });
  const folders = mkdtempSync(path.join(tmpdir(), 'liminal-pictures-'));
  const program = startProgram({ viaNpm: true, env: { LIMINAL_DEMO_SPEED: '10' } });
  const browser = await launchBrowser();
  try {
    const studio = { browser, ready: await program.ready };
    await take(studio, 'welcome', {}, async () => {});
    await rehearse(studio.ready, folders);
    for (const scheme of schemes) await take(studio, `session-${scheme}`, { scheme, height: 860 }, showQuestion);
    await take(studio, 'phone', phone, showQuestion);
    await take(studio, 'phone-list', phone, openList);
    for (const scheme of schemes) await take(studio, `turn-${scheme}`, { scheme, height: 860 }, showFinishedTurn);
  } finally {
    await browser.close();
    await program.stop();
    rmSync(folders, { recursive: true, force: true });
  }
}

/** Opens the page as a visitor of its own, brings it to where the picture is taken, and takes it. */
async function take(
  { browser, ready }: Studio,
  name: string,
  look: Look,
  arrange: (page: Page) => Promise<void>,
): Promise<void> {
  const { page, context, faults } = await browser.visitor(look);
  await closeTabs(ready);
  await page.goto(ready.url);
  await page.getByRole('heading', { name: 'Start a session' }).waitFor();
  await arrange(page);
  await page.mouse.move(0, 0);
  const file = path.join(images, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  await context.close();
  const { size } = statSync(file);
  console.log(`${name}.png: ${Math.round(size / 1024)} KB`);
  if (size > largest) throw new Error(`${name}.png is larger than ${largest / 1024} KB.`);
  if (faults.length > 0) throw new Error(`The page had faults in "${name}": ${faults.join('; ')}`);
}

/** Two projects with sessions in different states, made over HTTP as any client could. */
async function rehearse(ready: Ready, folders: string): Promise<void> {
  const call = <Reply>(route: string, body?: object): Promise<Reply> =>
    callApi(ready, body === undefined ? 'GET' : 'POST', route, body);
  const play = async (project: string, messages: readonly string[]): Promise<void> => {
    const projectDir = path.join(folders, project);
    mkdirSync(projectDir, { recursive: true });
    const { sessionId } = await call<{ sessionId: string }>('session/create', { cliType: 'demo', projectDir });
    for (const content of messages) {
      await call(`session/${sessionId}/send`, { content });
      await until(async () => (await call<{ activity: string }>(`session/${sessionId}/status`)).activity !== 'working');
    }
  };
  await play('importer', ['Look at the error in the import']);
  await play('importer', ['Plan the move to the new parser']);
  await play('greeter', [beside]);
  await play('greeter', [main, 'Good. Now edit it so that it is friendlier']);
}

/** Tabs are kept on the server: what the picture before had open would be open in this one too. */
const closeTabs = (ready: Ready): Promise<unknown> => callApi(ready, 'PUT', 'workspace', { tabs: [], activeTab: null });

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const patience = Date.now() + 60_000;
  while (!(await isTrue())) if (Date.now() > patience) throw new Error("The demo agent didn't finish.");
}

const menu = (page: Page) => page.getByRole('button', { name: 'Projects and sessions' });

/** At phone width the list is a drawer. */
async function openList(page: Page): Promise<void> {
  if (await menu(page).isVisible()) await menu(page).click();
}

async function openSession(page: Page, title: string): Promise<void> {
  await openList(page);
  await page.getByRole('navigation').getByTitle(title, { exact: true }).click();
}

/** The agent asks before it changes a file: the whole change stands above the buttons. */
async function showQuestion(page: Page): Promise<void> {
  await openSession(page, beside);
  await openSession(page, main);
  await page.getByRole('button', { name: /Allow once/ }).waitFor();
}

/** A turn that has ended, its change and the command before it unfolded. */
async function showFinishedTurn(page: Page): Promise<void> {
  await openSession(page, beside);
  await openSession(page, main);
  const allow = page.getByRole('button', { name: /Allow once/ });
  const summary = page.getByRole('button', { name: /1 file changed/ });
  await allow.or(summary).first().waitFor();
  if (await allow.isVisible()) await allow.click();
  await summary.waitFor();
  await page.getByRole('log').getByRole('button', { name: /Edit/ }).last().click();
  await page.getByRole('group', { name: /Changes in/ }).waitFor();
}

await takeAll();
