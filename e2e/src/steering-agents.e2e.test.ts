import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionPage } from './support/session-page.ts';
import { type RealAgents, startRealAgents } from './support/real-agents.ts';

// Steering and stopping a running turn, with the real agents in real Chromium.
let agents: RealAgents;
let sessions: SessionPage;
beforeAll(async () => {
  agents = await startRealAgents({ codexMode: 'agent-full-access' });
});
beforeEach(async () => {
  sessions = await agents.visit();
});
afterAll(() => agents.close());

const patience = { timeout: 30_000 };
const stop = () => sessions.page.getByRole('button', { name: /^Stop/ });

describe.each(['Claude Code', 'Codex'])('%s', (agent) => {
  it('a message steers the running turn or waits behind it, and the page shows which', async () => {
    await sessions.start(agent);
    await sessions.say('@slow 80 50');
    await expect.poll(() => sessions.answer.innerText(), patience).toMatch(/w5\b/);
    await sessions.composer.fill('@text behind it');
    await sessions.page.getByRole('button', { name: 'Queue' }).click();
    await sessions.page.getByRole('list', { name: 'Queued messages' }).getByText('@text behind it').waitFor();
    await sessions.composer.fill('@text into it');
    const sent = sessions.page.waitForResponse((reply) => reply.url().endsWith('/send'));
    await sessions.page.locator('.composer').getByRole('button', { name: 'Steer now' }).click();
    expect((await sent).status()).toBe(202);
    await sessions.log.getByText('Sent into the running turn').waitFor();
    await sessions.ended(2);
    await sessions.log.getByText('behind it', { exact: true }).waitFor();
    expect(agents.heard()).toContain('@text into it');
  });

  it('a queued message is sent into the running turn by its own button', async () => {
    await sessions.start(agent);
    await sessions.say('@slow 200 50');
    await expect.poll(() => sessions.answer.innerText(), patience).toMatch(/w5\b/);
    await sessions.composer.fill('@text from the queue');
    await sessions.page.getByRole('button', { name: 'Queue' }).click();
    const waiting = sessions.page.getByRole('listitem').filter({ hasText: 'from the queue' });
    await waiting.getByRole('button', { name: 'Steer now' }).press('Enter');
    await waiting.waitFor({ state: 'detached' });
    await sessions.log.getByText('Sent into the running turn').waitFor();
    await expect.poll(() => agents.heard(), patience).toContain('@text from the queue');
  });

  it('one key stops a hanging tool, the page shows it at once, and the session accepts the next message', async () => {
    await sessions.say('@shell until test -e /nowhere; do sleep 0.1; done', '@text never');
    const row = sessions.log.getByRole('button', { name: /nowhere/ }).last();
    await row.waitFor(patience);
    await sessions.press('Escape');
    await stop()
      .filter({ hasText: 'Stopping…' })
      .or(sessions.page.locator('.turn-end', { hasText: 'Stopped' }))
      .first()
      .waitFor();
    const began = performance.now();
    await sessions.page.locator('.turn-end', { hasText: 'Stopped' }).last().waitFor(patience);
    console.info(`${agent}: stopped after ${Math.round(performance.now() - began)} ms`);
    await stop().waitFor({ state: 'hidden' });
    await sessions.log.getByText('stopped', { exact: true }).first().waitFor();
    await sessions.say('@text ready again');
    await sessions.log.getByText('ready again', { exact: true }).waitFor(patience);
  });
});
