import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import {
  type AgentHome,
  claudeHome,
  codexHome,
  projectFolder,
  type TemporaryFolder,
} from '@liminal/stand-ins/agent-homes';
import { startStandInModel, type StandInModel } from '@liminal/stand-ins/model-server';
import { type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { atRest } from './support/at-rest.ts';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { callApi } from './support/call-api.ts';
import { sendMessage } from './support/send-message.ts';

// The real agents, in real Chromium; only the model behind them is ours. Needs no network.
let model: StandInModel;
let homes: AgentHome[];
let project: TemporaryFolder;
let program: Program;
let browser: TestBrowser;
let ready: Ready;
let page: Page;
let env: Record<string, string>;
const dataDir = mkdtempSync(join(tmpdir(), 'liminal-data-'));

beforeAll(async () => {
  model = await startStandInModel();
  const [claude, codex] = [claudeHome(model), codexHome(model, { mode: 'agent-full-access' })];
  homes = [claude, codex];
  project = projectFolder();
  env = { ...codex.env, ...claude.env };
  await Promise.all(Object.values(terminals).map((speak) => speak()));
  program = startProgram({ env, dataDir });
  browser = await launchBrowser();
  ready = await program.ready;
  const { projectId } = await call<{ projectId: string }>('POST', 'projects', { dir: project.dir });
  await call('POST', `projects/${projectId}/trust`, { trusted: true });
});
beforeEach(async () => {
  ({ page } = await browser.visitor());
  page.setDefaultTimeout(15_000);
  await page.goto(ready.url);
  await page.getByRole('navigation').getByText(basename(project.dir)).first().waitFor();
  // The page opens with the layout of the last one.
  const { tabs: kept = [] } = await call<{ tabs?: readonly string[] }>('GET', 'workspace');
  await poll(() => tabs().count()).toBe(kept.length);
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await model?.close();
  project?.cleanup();
  for (const home of homes ?? []) home.cleanup();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const call = <T>(method: string, path: string, body?: unknown): Promise<T> => callApi(ready, method, path, body);

/** Agents take a while to start. */
const patience = { timeout: 60_000, interval: 25 };
const poll = <T>(read: () => Promise<T>) => expect.poll(read, patience);

const log = (): Locator => page.getByRole('log');
const composer = (): Locator => page.locator('.pane-active .composer-input');
const answer = (): Locator => log().locator('.markdown').last();
const stop = (): Locator => page.getByRole('button', { name: /^Stop/ });
const tabs = (): Locator => page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab');

/** Starts a new session like a user: by key, and by the agent's name. */
async function start(agent: string): Promise<void> {
  const before = await tabs().count();
  await page.keyboard.press('Alt+KeyN');
  const form = page.getByRole('dialog', { name: 'New session' });
  await form.getByRole('radio', { name: agent, exact: true }).check();
  await form.getByRole('button', { name: 'Start session' }).click();
  await poll(() => tabs().count()).toBe(before + 1);
  await composer().waitFor();
}

const say = (...lines: string[]): Promise<void> => sendMessage(composer(), lines);

/** Waits until the turn is over and allows whatever the agent asks. */
async function ended(): Promise<void> {
  const sessionId = ((await tabs().and(page.locator('[aria-selected=true]')).getAttribute('id')) ?? '').slice(
    'tab-'.length,
  );
  const allow = page.locator('.permission .button-primary');
  await vi.waitFor(async () => {
    const { activity } = await call<{ activity: string }>('GET', `session/${sessionId}/status`);
    if (activity === 'waiting' && (await allow.isEnabled().catch(() => false))) await allow.click();
    expect(activity).toBe('idle');
  }, patience);
  await stop().waitFor({ state: 'hidden' });
}

/** Reads the answer's text repeatedly until it has grown a few times. */
async function growing(times = 4): Promise<string[]> {
  const seen: string[] = [];
  await vi.waitFor(async () => {
    const text = await answer().innerText();
    if (text !== seen.at(-1)) seen.push(text);
    expect(seen.length).toBeGreaterThanOrEqual(times);
  }, patience);
  return seen;
}

const agents = [
  ['Claude Code', 'TC-7.1a', 'TC-8.1a', 'TC-8.1b', 'TC-8.1c'],
  ['Codex', 'TC-7.1b', 'TC-8.2a', 'TC-8.2a', 'TC-8.2b'],
] as const;

describe.each(agents)('%s', (agent, streaming, creating, calling, cancelling) => {
  it(`${streaming}, ${creating}, TC-7.2a: creates a session, sends a message, and shows the text growing in place during the turn`, async () => {
    await start(agent);
    await say('@slow 60 40');
    await answer().waitFor({ timeout: 60_000 });
    const seen = await growing();
    expect(await stop().isVisible()).toBe(true);
    for (const [index, text] of seen.entries()) expect(text.startsWith(seen[index - 1] ?? '')).toBe(true);
    await ended();
    expect(await answer().innerText()).toMatch(/w60\s*$/);
    expect(await log().locator('.markdown').count()).toBe(1);
  });

  it(`TC-7.1c, ${calling}, TC-7.2b: a tool call shows its name and arguments, then its result`, async () => {
    await say('@bash sleep 1 && echo from-$((40+2))', '@text done with it');
    const row = log()
      .getByRole('button', { name: /from-\$/ })
      .last();
    await row.waitFor();
    expect(await row.innerText()).toMatch(/^(Running|Ran)/);
    await ended();
    expect(
      await log()
        .getByRole('button', { name: /from-\$/ })
        .count(),
    ).toBe(1);
    await row.click();
    await log().getByText('from-42').first().waitFor();
    expect(await answer().innerText()).toContain('done with it');
  });

  it('TC-7.2c: items of one turn are separate and don’t affect each other', async () => {
    await say('@text before', '@bash echo one', '@text between', '@bash echo two', '@text after');
    await ended();
    const words = (await log().innerText()).replace(/\s+/g, ' ');
    const places = ['before', 'echo one', 'between', 'echo two', 'after'].map((each) => words.lastIndexOf(each));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(-1);
  });

  it(`${cancelling}: Escape cancels a turn, and the session continues`, async () => {
    await say('@slow 2000 50');
    await poll(() => answer().innerText()).toMatch(/w5\b/);
    await page.keyboard.press('Escape');
    await page.locator('.turn-end', { hasText: 'Stopped' }).last().waitFor();
    await say('@text still here');
    await poll(() => answer().innerText()).toContain('still here');
    await ended();
  });
});

it('TC-8.3a: switching tabs keeps each conversation and its scroll position', async () => {
  expect(await tabs().count()).toBe(2);
  await tabs().nth(0).click();
  await say(`@words 1500`);
  await ended();
  const list = page.locator('.pane-active .virtual-list-scroller');
  await list.hover();
  await page.mouse.wheel(0, -900);
  await poll(() =>
    list.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop),
  ).toBeGreaterThan(500);
  const place = await atRest(() => list.evaluate((element) => element.scrollTop));
  await tabs().nth(1).click();
  await log().getByText('still here').first().waitFor();
  expect(await log().innerText()).not.toContain('w1400');
  await tabs().nth(0).click();
  await poll(() => list.evaluate((element) => element.scrollTop)).toBeGreaterThan(place - 40);
  expect(await list.evaluate((element) => element.scrollTop)).toBeLessThan(place + 40);
});

const root = join(import.meta.dirname, '../..');

/** Sends a message with the agent's own program, as in a terminal. */
const terminals: Record<string, () => Promise<void>> = {
  async 'Claude Code'() {
    const sdk = createRequire(join(root, 'packages/server/package.json'));
    const claude = sdk.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
    await run(claude, ['-p', '@text words of a terminal'], env);
  },
  async Codex() {
    const codex = join(root, 'node_modules/@openai/codex/bin/codex.js');
    await run(process.execPath, [codex, 'exec', '--skip-git-repo-check', '@text words of a terminal'], env);
    // Its interactive program needs a terminal. The files it writes differ only in the program's name and in Codex's
    // own index, which Codex rebuilds if it is missing.
    const home = env['CODEX_HOME'] ?? '';
    for (const file of globSync('sessions/**/*.jsonl', { cwd: home })) {
      const record = readFileSync(join(home, file), 'utf8');
      writeFileSync(
        join(home, file),
        record.replace('"source":"exec"', '"source":"cli"').replace('codex_exec', 'codex_cli_rs'),
      );
    }
    for (const index of globSync('*.sqlite*', { cwd: home })) rmSync(join(home, index));
  },
};

async function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const running = promisify(execFile)(command, [...args], { cwd: project.dir, env: environment });
  running.child.stdin?.end();
  await running;
}

describe.each([
  ['Claude Code', 'TC-7.3a', 0],
  ['Codex', 'TC-7.3b', 1],
] as const)('history of %s', (agent, id, place) => {
  it(`${id}, TC-8.3b: an old session opens with its full history after a server restart`, async () => {
    await program.stop();
    program = startProgram({ env, dataDir, args: ['--port', String(ready.port)] });
    ready = await program.ready;
    await page.reload();
    await tabs().nth(place).click();
    await log().waitFor();
    await log().press('Control+Home');
    await poll(() => log().innerText()).toContain('@slow 60 40');
  });

  it(`${id}: a session created in a terminal is found and opens with its history`, async () => {
    const count = await tabs().count();
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox', { name: 'Search sessions and actions' }).fill('terminal sessions');
    await page.getByRole('option', { name: 'Import terminal sessions' }).click();
    const found = page.getByRole('dialog').getByRole('button', { name: new RegExp(agent) });
    await found.first().click();
    await poll(() => tabs().count()).toBe(count + 1);
    await log().getByText('words of a terminal').first().waitFor();
  });
});
