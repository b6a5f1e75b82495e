import { rmSync } from 'node:fs';
import { launchBrowser } from '@liminal/e2e/src/support/browser.ts';
import { builtMain, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { benchFolder } from '../../host/start-host.ts';
import { installCloudCli, startCloudCliServer } from './cloudcli-server.ts';
import { freePort } from './free-port.ts';
import { clock, seenAt } from './seen.ts';

/** From the start of a new installation, as fast as the pages allow. */
export type FirstRun = {
  /** Fields to fill in and buttons to press before something works. */
  readonly fields: number;
  readonly clicks: number;
  /** Until an agent has answered; NaN if the first run ends without an answer. */
  readonly answeredMs: number;
};

type Env = Readonly<Record<string, string>>;

async function withPage<Result>(task: (page: Page) => Promise<Result>): Promise<Result> {
  const browser = await launchBrowser({ hasMotion: true });
  try {
    const { page } = await browser.visitor();
    page.setDefaultTimeout(30_000);
    return await task(page);
  } finally {
    await browser.close();
  }
}

/** Ours: the demo, which is one click away. */
export const ourFirstRun = (env: Env): Promise<FirstRun> =>
  withPage(async (page) => {
    const began = clock();
    const program = startProgram({ main: builtMain, env });
    try {
      const { url } = await program.ready;
      await page.goto(url);
      await page.getByRole('button', { name: 'Try the demo' }).click();
      await page.locator('.pane-active .composer-input').fill('hello');
      await page.keyboard.press('Enter');
      const answered = await seenAt(page, '.pane-active [role=log] .markdown', /\S/);
      return { fields: 0, clicks: 1, answeredMs: answered - began };
    } finally {
      await program.stop();
    }
  });

/** CloudCLI: an account, a commit author and its agents, and then a page without a project. */
export async function cloudCliFirstRun(env: Env): Promise<FirstRun> {
  const [node, port, data] = [installCloudCli(), await freePort(), benchFolder()];
  return withPage(async (page) => {
    const server = startCloudCliServer(node, env, data, port);
    const counted = { fields: 0, clicks: 0 };
    const fill = async (values: readonly string[]): Promise<void> => {
      for (const [index, value] of values.entries()) await page.locator('input:visible').nth(index).fill(value);
      counted.fields += values.length;
    };
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).click();
      counted.clicks += 1;
    };
    try {
      while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => null)));
      await page.goto(`http://127.0.0.1:${port}/`);
      await page.getByText('Confirm Password').waitFor();
      await fill(['bench', 'a-password-for-the-bench', 'a-password-for-the-bench']);
      await press('Create Account');
      await page.locator('#gitName').waitFor();
      // It looks up known names, and overwrites what was typed meanwhile.
      await page.waitForLoadState('networkidle');
      await fill(['Bench', 'bench@example.org']);
      await press('Next');
      await press('Complete Setup');
      await page.getByText('No projects found').waitFor();
      return { ...counted, answeredMs: Number.NaN };
    } finally {
      server.kill('SIGKILL');
      rmSync(data, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}
