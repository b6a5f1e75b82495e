import { type AgentHome, claudeHome, projectFolder, type TemporaryFolder } from '@liminal/stand-ins/agent-homes';
import { type StandInModel, startStandInModel } from '@liminal/stand-ins/model-server';
import { type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { type RedisProcess, startRedis } from '@liminal/stand-ins/testing/start-redis';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { type BasePathProxy, startBasePathProxy } from './support/base-path-proxy.ts';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { callApi } from './support/call-api.ts';
import { startDemo } from './support/start-demo.ts';

let redis: RedisProcess;
let browser: TestBrowser;
let proxy: BasePathProxy;
let model: StandInModel;
let home: AgentHome;
let folder: TemporaryFolder;
const programs: Program[] = [];
const start = (name: string, more: Record<string, string> = {}): Program => {
  const env = {
    // One home of Claude Code for all machines.
    ...home.env,
    LIMINAL_AGENT_ENV: 'IS_SANDBOX',
    LIMINAL_REDIS_URL: redis.url,
    LIMINAL_CLUSTER_SECRET: 'only for this test, and long',
    LIMINAL_LEASE_SECONDS: '3',
    LIMINAL_NODE_NAME: name,
    ...more,
  };
  const program = startProgram({ env });
  programs.push(program);
  return program;
};
beforeAll(async () => {
  redis = await startRedis();
  browser = await launchBrowser();
  proxy = await startBasePathProxy('/agents/');
  model = await startStandInModel();
  home = claudeHome(model);
  folder = projectFolder();
});
afterAll(async () => {
  await browser.close();
  await Promise.all(programs.map((program) => program.stop('SIGKILL')));
  await proxy.close();
  await redis.stop();
  await model.close();
  folder.cleanup();
  home.cleanup();
});
const own = (where: Page, words: string) => where.getByRole('log').locator('.user-text', { hasText: words });
const listOf = (page: Page) => page.getByRole('navigation', { name: 'Projects and sessions' });
const composerOf = (page: Page) => page.getByRole('textbox', { name: /Message/ });

it('one workbench over two machines, one behind a proxy path: sessions are visible, steered, lost and recovered', async () => {
  const first = await start('workshop').ready;
  const desk = start('desk', { LIMINAL_PUBLIC_URL: proxy.url });
  const second = await desk.ready;
  proxy.to(second.port);
  const { page: there } = await browser.visitor();
  await startDemo(there, first);
  await composerOf(there).fill('hello from the workshop');
  await composerOf(there).press('Enter');
  await there.getByRole('log').locator('.markdown').last().waitFor();

  const { page, faults } = await browser.visitor();
  await page.goto(`${proxy.url}?token=${second.token}`);
  const list = listOf(page);
  await list.getByText('on workshop').waitFor();
  await list.getByTitle('hello from the workshop').first().click();
  await own(page, 'hello from the workshop').waitFor();
  await composerOf(page).fill('and this from the desk');
  await composerOf(page).press('Enter');
  await own(page, 'and this from the desk').waitFor();
  await own(there, 'and this from the desk').waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);

  // The machine dies during a turn: the history stays, nothing seems to continue, and the page shows what isn't
  // possible.
  await composerOf(page).fill('long 5000');
  await composerOf(page).press('Enter');
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  process.kill(first.pid, 'SIGKILL');
  await page.getByText('workshop, where this session runs, is gone.').waitFor();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  await list.getByText('its machine is gone').waitFor();
  await own(page, 'and this from the desk').waitFor();
  await page.getByRole('button', { name: 'Continue here' }).click();
  await page.getByText("Demo agent can't list the sessions it has kept").waitFor();
  expect(await list.getByRole('button', { name: 'New session in demo-project' }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Alt+KeyN');
  await page.getByText("Can't start a session: its machine is gone.").waitFor();
  expect(await violations(page, 'dialog[open]')).toEqual([]);
  await page.keyboard.press('Escape');

  // Redis disappears and returns; sessions on this machine aren't affected.
  await redis.kill();
  await page
    .getByText(/^Can't reach other machines\. Sessions on this one keep running\. Redis at .* can't be reached/)
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await redis.restart();
  await page.getByText("Can't reach other machines").waitFor({ state: 'hidden' });
});

it('a Claude Code session whose machine is gone is taken over in the page and continues the same conversation', async () => {
  const [first, second] = await Promise.all([start('attic').ready, start('cellar').ready]);
  const create = { cliType: 'claude-code', projectDir: folder.dir };
  const { sessionId } = await callApi<{ sessionId: string }>(first, 'POST', 'session/create', create);
  const { page } = await browser.visitor();
  await page.goto(second.url);
  await callApi(first, 'POST', `session/${sessionId}/send`, { content: '@text The fault is in the parser.' });
  await listOf(page).getByTitle('@text The fault is in the parser.').first().click();
  await page.getByRole('log').locator('.markdown', { hasText: 'The fault is in the parser.' }).waitFor();

  // The machine hangs: the page says that nothing was sent, and the message isn't lost.
  process.kill(first.pid, 'SIGSTOP');
  await composerOf(page).fill('@text Mended on this machine.');
  await composerOf(page).press('Enter');
  await page.getByText("attic didn't respond in time. Nothing was done. Try again.").waitFor();
  await page.getByText('attic, where this session runs, is gone.').waitFor();
  await page.getByRole('button', { name: 'Continue here' }).click();
  await page.getByText('attic, where this session runs, is gone.').waitFor({ state: 'hidden' });
  await listOf(page).getByText('No sessions; its machine is gone').waitFor();
  await page.getByRole('list', { name: 'Queued messages' }).getByRole('button', { name: 'Remove' }).click();
  await composerOf(page).press('Enter');
  await page.getByRole('log').locator('.markdown', { hasText: 'Mended on this machine.' }).waitFor();
  await page.getByRole('log').locator('.markdown', { hasText: 'The fault is in the parser.' }).waitFor();
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('The fault is in the parser.');
  process.kill(first.pid, 'SIGCONT');
});
