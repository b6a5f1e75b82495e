import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Workspace } from '@liminal/contracts';
import { claudeHome, codexHome, type CodexMode, projectFolder } from '@liminal/stand-ins/agent-homes';
import { startStandInModel, type StandInModel } from '@liminal/stand-ins/model-server';
import { startProgram, type Ready } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchBrowser, type Visitor } from './browser.ts';
import { createSessionPage, type SessionPage } from './session-page.ts';

export type RealAgents = {
  readonly model: StandInModel;
  readonly projectDir: string;
  readonly dataDir: string;
  readonly codexHome: string;
  readonly ready: () => Ready;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** A separate browser, with the page open as the last one left it. Calls `prepare` before it opens. */
  visit(prepare?: (visitor: Visitor) => Promise<void>): Promise<SessionPage>;
  /** Ends the program in the given way and starts it again with the same data and port. */
  restart(signal?: NodeJS.Signals): Promise<void>;
  /** Everything the model received since it started, as one text. */
  heard(): string;
  close(): Promise<void>;
};

export type RealAgentsOptions = { readonly codexMode?: CodexMode; readonly trusted?: boolean };

/** The whole program with the real agents, in real Chromium; only the model behind them is ours. */
export async function startRealAgents({
  codexMode = 'workspace-write',
  trusted = true,
}: RealAgentsOptions = {}): Promise<RealAgents> {
  const model = await startStandInModel({ keepRequests: 1000 });
  const homes = { codex: codexHome(model, { mode: codexMode }), claude: claudeHome(model) };
  const project = projectFolder();
  const dataDir = mkdtempSync(join(tmpdir(), 'liminal-data-'));
  // Without it Claude Code refuses to bypass permissions as root, which is how containers run tests.
  const env = { ...homes.codex.env, ...homes.claude.env, LIMINAL_AGENT_ENV: 'IS_SANDBOX' };
  let program = startProgram({ env, dataDir });
  const browser = await launchBrowser();
  let ready = await program.ready;
  let lastPage: Page | null = null;

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await fetch(`http://127.0.0.1:${ready.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as T;
  }
  const { projectId } = await call<{ projectId: string }>('POST', '/api/projects', { dir: project.dir });
  await call('POST', `/api/projects/${projectId}/trust`, { trusted });

  return {
    model,
    projectDir: project.dir,
    dataDir,
    codexHome: homes.codex.env['CODEX_HOME'] ?? '',
    ready: () => ready,
    call,
    async visit(prepare) {
      // The next page restores this layout, once the server has it.
      if (lastPage?.isClosed() === false)
        await lastPage.waitForFunction(() => localStorage.getItem('liminal.workspace.unsent') === null);
      const visitor = await browser.visitor();
      lastPage = visitor.page;
      await prepare?.(visitor);
      visitor.page.setDefaultTimeout(20_000);
      await visitor.page.goto(ready.url);
      await visitor.page.getByRole('navigation').getByText(basename(project.dir)).first().waitFor();
      const sessions = createSessionPage(visitor.page, call);
      const { tabs = [], activeTab } = await call<Partial<Workspace>>('GET', '/api/workspace');
      await expect.poll(() => sessions.tabs.count()).toBe(tabs.length);
      if (typeof activeTab === 'string') await visitor.page.locator('.pane-active').waitFor();
      return sessions;
    },
    async restart(signal = 'SIGTERM') {
      await program.stop(signal);
      program = startProgram({ env, dataDir, args: ['--port', String(ready.port)] });
      ready = await program.ready;
    },
    heard: () => JSON.stringify(model.requests.map(({ body }) => body)),
    async close() {
      await browser.close();
      await program.stop();
      await model.close();
      project.cleanup();
      for (const home of Object.values(homes)) home.cleanup();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
