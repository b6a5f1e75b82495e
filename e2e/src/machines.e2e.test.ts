import { type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { type RedisProcess, startRedis } from '@liminal/stand-ins/testing/start-redis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BasePathProxy, startBasePathProxy } from './support/base-path-proxy.ts';
import { launchBrowser, type TestBrowser } from './support/browser.ts';
import { startDemo } from './support/start-demo.ts';

let redis: RedisProcess;
let browser: TestBrowser;
let proxy: BasePathProxy;
const programs: Program[] = [];
const start = (name: string, more: Record<string, string> = {}): Program => {
  const env = {
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
});
afterAll(async () => {
  await browser.close();
  await Promise.all(programs.map((program) => program.stop('SIGKILL')));
  await proxy.close();
  await redis.stop();
});

it('one workbench over two machines, the second behind a path of a proxy: see, steer, lose and find again', async () => {
  const first = await start('workshop').ready;
  const desk = start('desk', { LIMINAL_PUBLIC_URL: proxy.url });
  const second = await desk.ready;
  proxy.to(second.port);
  const { page: there } = await browser.visitor();
  await startDemo(there, first);
  await there.getByRole('textbox', { name: /Message/ }).fill('hello from the workshop');
  await there.getByRole('textbox', { name: /Message/ }).press('Enter');
  await there.getByRole('log').locator('.markdown').last().waitFor();

  const { page, faults } = await browser.visitor();
  await page.goto(`${proxy.url}?token=${second.token}`);
  const list = page.getByRole('navigation', { name: 'Projects and sessions' });
  await list.getByText('on workshop').waitFor();
  await list.getByTitle('hello from the workshop').first().click();
  const own = (where: typeof page, words: string) => where.getByRole('log').locator('.user-words', { hasText: words });
  await own(page, 'hello from the workshop').waitFor();
  const composer = page.getByRole('textbox', { name: /Message/ });
  await composer.fill('and this from the desk');
  await composer.press('Enter');
  await own(page, 'and this from the desk').waitFor();
  await own(there, 'and this from the desk').waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  expect(faults).toEqual([]);

  // The machine dies: the history stays, and what cannot be done is said.
  process.kill(first.pid, 'SIGKILL');
  await page.getByText('The machine of this session (workshop) is gone.').waitFor();
  await list.getByText('its machine is gone').waitFor();
  await own(page, 'and this from the desk').waitFor();
  await page.getByRole('button', { name: 'Go on with it on this machine' }).click();
  await page.getByText(/does not exist on this machine|does not find it here/).waitFor();

  // Redis goes and comes back; what is here is untouched.
  await redis.kill();
  await page.getByText('Other machines cannot be seen now; work on this one goes on.').waitFor();
  await redis.restart();
  await page.getByText('Other machines cannot be seen now').waitFor({ state: 'hidden' });
});
