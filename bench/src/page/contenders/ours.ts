import { launchBrowser } from '@liminal/e2e/src/support/browser.ts';
import { builtMain, startProgram } from '@liminal/stand-ins/testing/start-program';
import { agentsBelow } from './agents-below.ts';
import type { Contender } from './contender.ts';
import { countBytes } from './count-bytes.ts';
import { freePort } from './free-port.ts';
import { clock } from './seen.ts';

/** Our own program, as a user starts it, with one trusted folder. */
export async function startOurProgram(
  folder: string,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<Contender> {
  const port = await freePort();
  const counted = await countBytes(port);
  const start = () =>
    startProgram({
      main: builtMain,
      // Its pages come through the counting proxy, at another port.
      env: { ...env, LIMINAL_PUBLIC_URL: `http://127.0.0.1:${counted.port}/` },
      dataDir,
      args: ['--port', String(port)],
    });
  let program = start();
  let { token, pid } = await program.ready;
  const url = `http://127.0.0.1:${counted.port}/?token=${token}`;
  const call = async (path: string, body: object, method: 'POST' | 'PUT' = 'POST'): Promise<{ projectId?: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = { method, headers, body: JSON.stringify(body) };
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, request);
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json().catch(() => ({}))) as { projectId?: string };
  };
  const { projectId } = await call('/api/projects', { dir: folder });
  await call(`/api/projects/${projectId}/trust`, { trusted: true });
  const browser = await launchBrowser({ hasMotion: true });
  const open = async () => {
    const { page } = await browser.visitor();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    await page.getByRole('navigation').waitFor();
    return page;
  };
  const page = await open();
  let agent = 0;
  return {
    name: 'ours',
    pid: () => pid,
    url,
    folder,
    signs: {
      log: '.pane-active [role=log]',
      own: '.user-text',
      agentDied: /Claude Code stopped unexpectedly/,
      serverLost: /Disconnected|Can't reach the server/,
      asks: { within: '.pane-active .permission', words: /./ },
      remember: /always/i,
    },
    bytesSent: counted.bytes,
    async newSession(named = 'Claude Code') {
      // The waiting spare becomes the agent of the session.
      agent = agentsBelow(pid)[0] ?? 0;
      const tabs = page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab');
      const before = await tabs.count();
      await page
        .getByRole('navigation')
        .getByRole('button', { name: /New session in/ })
        .click();
      const form = page.getByRole('dialog', { name: 'New session' });
      await form.getByRole('radio', { name: named, exact: true }).check();
      await form.getByRole('button', { name: 'Start session' }).click();
      await tabs.nth(before).waitFor();
      await page.locator('.pane-active .composer-input').waitFor();
      return page;
    },
    async begin(message) {
      // The tabs of the other page would be open here too, instead of the first page.
      await call('/api/workspace', { tabs: [], activeTab: null }, 'PUT');
      const other = await open();
      await other.locator('.start-box .composer-input:focus').waitFor();
      const shownAt = clock();
      await other.keyboard.insertText(message);
      return { page: other, shownAt, clicks: 0 };
    },
    write: async (at, message) => at.locator('.pane-active .composer-input').fill(message),
    agent: () => agent,
    list: async (sessionId) =>
      void (await call(`/api/session/${sessionId}/load`, { cliType: 'claude-code', projectId })),
    visit: open,
    async killServer() {
      program.child.kill('SIGKILL');
      await program.exited;
    },
    async restart() {
      program = start();
      ({ token, pid } = await program.ready);
    },
    async stop() {
      await browser.close();
      await counted.close();
      await program.stop();
    },
  };
}
