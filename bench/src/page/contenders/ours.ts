import { launchBrowser } from '@liminal/e2e/src/support/browser.ts';
import { startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Contender } from './contender.ts';

export type Ours = Contender & {
  /** Ends the server without a word, and starts it again over the same data and at the same address. */
  killServer(): Promise<void>;
  restart(): Promise<void>;
};

/** Our own program, as a person starts it, with one trusted folder. */
export async function startOurProgram(
  folder: string,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<Ours> {
  let program = startProgram({ env, dataDir });
  const { port, token, url, pid } = await program.ready;
  const call = async (path: string, body: object): Promise<{ projectId?: string }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await reply.json().catch(() => ({}))) as { projectId?: string };
  };
  const { projectId } = await call('/api/projects', { dir: folder });
  await call(`/api/projects/${projectId}/trust`, { trusted: true });
  const browser = await launchBrowser();
  const { page } = await browser.visitor();
  page.setDefaultTimeout(60_000);
  await page.goto(url);
  return {
    name: 'ours',
    port,
    pid,
    url,
    async newSession() {
      const tabs = page.getByRole('tablist', { name: 'Open sessions' }).getByRole('tab');
      const before = await tabs.count();
      await page
        .getByRole('navigation')
        .getByRole('button', { name: /New session in/ })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Claude Code', exact: true }).click();
      await tabs.nth(before).waitFor();
      await page.locator('.pane-active .composer-input').waitFor();
      return page;
    },
    write: async (at, message) => at.locator('.pane-active .composer-input').fill(message),
    async killServer() {
      program.child.kill('SIGKILL');
      await program.exited;
    },
    async restart() {
      program = startProgram({ env, dataDir, args: ['--port', String(port)] });
      await program.ready;
    },
    async stop() {
      await browser.close();
      await program.stop();
    },
  };
}
