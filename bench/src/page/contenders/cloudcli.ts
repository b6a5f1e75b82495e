import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '@liminal/e2e/src/support/browser.ts';
import { benchFolder } from '../../host/start-host.ts';
import type { Contender } from './contender.ts';

const wanted = '@cloudcli-ai/cloudcli@1.37.3';
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/peers/cloudcli/', import.meta.url));
const main = join(cache, 'node_modules/@cloudcli-ai/cloudcli/dist-server/server/index.js');
/** Its parts that are not JavaScript are built or fetched when it is installed, and fit one version of Node only. */
const builtParts = ['better-sqlite3', 'node-pty', 'bcrypt', '@cloudcli-ai/cloudcli'];

/** Installed for this comparison alone; gives the Node its built parts fit. */
function install(): string {
  if (!existsSync(main)) {
    mkdirSync(cache, { recursive: true });
    const allowScripts = Object.fromEntries(builtParts.map((name) => [name, true]));
    writeFileSync(join(cache, 'package.json'), JSON.stringify({ private: true, allowScripts }));
    const done = spawnSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', wanted], {
      stdio: ['ignore', 2, 2],
    });
    if (done.status !== 0) throw new Error(`${wanted} could not be installed: is the npm registry within reach?`);
  }
  const candidates = [process.execPath, process.env['npm_node_execpath'] ?? '', '/usr/bin/node', '/usr/local/bin/node'];
  const script = "new (require('better-sqlite3'))(':memory:')";
  const fits = (node: string) => existsSync(node) && spawnSync(node, ['-e', script], { cwd: cache }).status === 0;
  const node = candidates.find(fits);
  if (node === undefined) throw new Error(`No Node here can load the built parts of ${wanted}.`);
  return node;
}

function ourClaude(): string {
  const server = createRequire(new URL('../../../../packages/server/package.json', import.meta.url));
  return server.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** CloudCLI with an account made and its first questions answered, as a person has to before the first session. */
export async function startCloudCli(env: Readonly<Record<string, string>>): Promise<Contender> {
  const node = install();
  const port = await freePort();
  const data = benchFolder();
  // It takes no project below a folder of the system, and counts the temporary one among them.
  const folder = mkdtempSync(join(cache, 'project-'));
  spawnSync('git', ['init', '--quiet', folder]);
  const child = spawn(node, [main], {
    cwd: data,
    env: {
      ...env,
      PATH: `${dirname(node)}:${env['PATH'] ?? ''}`,
      SERVER_PORT: String(port),
      HOST: '127.0.0.1',
      // The same Claude Code on both sides.
      CLAUDE_CLI_PATH: ourClaude(),
      DATABASE_PATH: join(data, 'auth.db'),
      WORKSPACES_ROOT: cache,
    },
    stdio: 'ignore',
  });
  const base = `http://127.0.0.1:${port}`;
  const call: Call = async (path, body, token = '') => {
    const reply = await fetch(`${base}/api/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`CloudCLI, ${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
  const end = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill()) await ended;
    for (const made of [folder, data]) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
  };
  const given = await answerFirstQuestions(call, folder).catch(async (error: unknown) => {
    await end();
    throw error;
  });

  const browser = await launchBrowser();
  const { page } = await browser.visitor();
  page.setDefaultTimeout(60_000);
  await page.addInitScript((value) => localStorage.setItem('auth-token', value), given);
  return {
    name: 'CloudCLI',
    url: base,
    port,
    pid: child.pid ?? 0,
    async newSession() {
      await page.goto(base);
      const start = page.getByRole('button', { name: 'New Session' }).first();
      const project = page.getByText(basename(folder)).first();
      await project.waitFor();
      // The one project unfolds by itself, a moment later; where it stays folded, a click unfolds it.
      const isThere = await start.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
      if (!isThere) await project.click();
      await start.click();
      await page.locator('textarea').waitFor();
      return page;
    },
    write: async (at, message) => at.locator('textarea').fill(message),
    async stop() {
      await browser.close();
      await end();
    },
  };
}

type Call = (path: string, body?: object, token?: string) => Promise<Record<string, unknown>>;

/** Waits until it is there, then makes an account, names an author of commits and adds the project; gives the token. */
async function answerFirstQuestions(call: Call, folder: string): Promise<string> {
  const patience = Date.now() + 60_000;
  while (!(await call('auth/status').catch(() => null)))
    if (Date.now() > patience) throw new Error('CloudCLI did not start.');
  const { token } = await call('auth/register', { username: 'bench', password: 'a-password-for-the-bench' });
  const given = String(token);
  await call('user/git-config', { gitName: 'Bench', gitEmail: 'bench@example.org' }, given);
  await call('user/complete-onboarding', {}, given);
  await call('projects/create-project', { path: folder }, given);
  return given;
}
