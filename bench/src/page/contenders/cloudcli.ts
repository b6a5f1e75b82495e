import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { launchBrowser } from '@liminal/e2e/src/support/browser.ts';
import { benchFolder } from '../../host/start-host.ts';
import { agentsBelow } from './agents-below.ts';
import { cache, installCloudCli, startCloudCliServer } from './cloudcli-server.ts';
import type { Contender } from './contender.ts';
import { countBytes } from './count-bytes.ts';
import { freePort } from './free-port.ts';
import { clock } from './seen.ts';

/** CloudCLI with an account and its first-run questions answered, as required before the first session. */
export async function startCloudCli(env: Readonly<Record<string, string>>): Promise<Contender> {
  const node = installCloudCli();
  const [port, data] = [await freePort(), benchFolder()];
  // It accepts no project below a system folder, and counts the temporary folder as one.
  const folder = mkdtempSync(join(cache, 'project-'));
  spawnSync('git', ['init', '--quiet', folder]);
  let child = startCloudCliServer(node, env, data, port);
  const counted = await countBytes(port);
  const base = `http://127.0.0.1:${counted.port}`;
  const call: Call = async (path, body, token = '') => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`CloudCLI, ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await ended;
  };
  const clean = async (): Promise<void> => {
    await end('SIGTERM');
    await counted.close();
    for (const made of [folder, data]) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
  };
  const given = await answerFirstQuestions(call, folder).catch(async (error: unknown) => {
    await clean();
    throw error;
  });

  const browser = await launchBrowser({ hasMotion: true });
  const open = async () => {
    const { page } = await browser.visitor();
    page.setDefaultTimeout(60_000);
    await page.addInitScript((value) => localStorage.setItem('auth-token', value), given);
    return page;
  };
  /** The only project expands by itself after a moment; otherwise a click expands it. */
  const unfold = async (at: Awaited<ReturnType<typeof open>>) => {
    await at.goto(base);
    const start = at.getByRole('button', { name: 'New Session' }).first();
    const project = at.getByText(basename(folder)).first();
    await project.waitFor();
    const isThere = await start.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (!isThere) await project.click();
    await start.waitFor();
    return start;
  };
  const page = await open();
  return {
    name: 'CloudCLI',
    url: base,
    pid: () => child.pid ?? 0,
    folder,
    signs: {
      log: 'body',
      own: '.chat-message.user',
      agentDied: /process terminated/,
      serverLost: /[Dd]isconnected|[Rr]econnecting|[Oo]ffline|[Cc]onnection (is |was )?(lost|closed)/,
      asks: { within: 'body', words: /Permission required/ },
      remember: /remember/i,
    },
    bytesSent: counted.bytes,
    async newSession() {
      await (await unfold(page)).click();
      await page.locator('textarea').waitFor();
      return page;
    },
    async begin(message) {
      const other = await open();
      const start = await unfold(other);
      const shownAt = clock();
      await start.click();
      const field = other.locator('textarea');
      await field.waitFor();
      const isReady = await field.evaluate((element) => element === document.activeElement);
      if (!isReady) await field.click();
      await other.keyboard.insertText(message);
      return { page: other, shownAt, clicks: isReady ? 1 : 2 };
    },
    write: async (at, message) => at.locator('textarea').fill(message),
    // It starts a process for every message.
    agent: () => agentsBelow(child.pid ?? 0)[0] ?? 0,
    list: async () => {},
    async visit() {
      const other = await open();
      await unfold(other);
      return other;
    },
    killServer: () => end('SIGKILL'),
    async restart() {
      child = startCloudCliServer(node, env, data, port);
      await untilThere(call);
    },
    async stop() {
      await browser.close();
      await clean();
    },
  };
}

type Call = (path: string, body?: object, token?: string) => Promise<Record<string, unknown>>;

async function untilThere(call: Call): Promise<void> {
  const patience = Date.now() + 60_000;
  while (!(await call('auth/status').catch(() => null)))
    if (Date.now() > patience) throw new Error('CloudCLI did not start.');
}

/** Waits until it is ready, creates an account, sets a commit author and adds the project; returns the token. */
async function answerFirstQuestions(call: Call, folder: string): Promise<string> {
  await untilThere(call);
  const { token } = await call('auth/register', { username: 'bench', password: 'a-password-for-the-bench' });
  const given = String(token);
  await call('user/git-config', { gitName: 'Bench', gitEmail: 'bench@example.org' }, given);
  await call('user/complete-onboarding', {}, given);
  await call('projects/create-project', { path: folder }, given);
  return given;
}
