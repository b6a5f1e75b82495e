import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Desk } from './support/desk.ts';
import { type RealAgents, startRealAgents } from './support/real-agents.ts';

// How a running turn is steered and stopped, with the real agents in real Chromium.
let agents: RealAgents;
let desk: Desk;
beforeAll(async () => {
  agents = await startRealAgents({ codexMode: 'agent-full-access' });
});
beforeEach(async () => {
  desk = await agents.visit();
});
afterAll(() => agents.close());

const patience = { timeout: 30_000 };
const stop = () => desk.page.getByRole('button', { name: /^Stop/ });

describe.each(['Claude Code', 'Codex'])('%s', (agent) => {
  it('a message goes into the running turn or waits behind it, and the page says which', async () => {
    await desk.start(agent);
    await desk.say('@slow 80 50');
    await expect.poll(() => desk.answer.innerText(), patience).toMatch(/w5\b/);
    await desk.composer.fill('@text behind it');
    await desk.page.getByRole('button', { name: 'Queue' }).click();
    await desk.page.getByRole('list', { name: 'Queued messages' }).getByText('@text behind it').waitFor();
    await desk.composer.fill('@text into it');
    const sent = desk.page.waitForResponse((reply) => reply.url().endsWith('/send'));
    await desk.page.getByRole('button', { name: 'Steer now' }).click();
    expect((await sent).status()).toBe(202);
    await desk.log.getByText('Sent into the running turn').waitFor();
    await desk.ended(2);
    await desk.log.getByText('behind it', { exact: true }).waitFor();
    expect(agents.heard()).toContain('@text into it');
  });

  it('a tool that hangs is stopped with one key, which shows at once, and the session takes the next message', async () => {
    await desk.say('@shell until test -e /nowhere; do sleep 0.1; done', '@text never');
    const row = desk.log.getByRole('button', { name: /nowhere/ }).last();
    await row.waitFor(patience);
    await desk.press('Escape');
    await stop()
      .filter({ hasText: 'Stopping…' })
      .or(desk.page.locator('.turn-end', { hasText: 'Stopped' }))
      .first()
      .waitFor();
    const began = performance.now();
    await desk.page.locator('.turn-end', { hasText: 'Stopped' }).last().waitFor(patience);
    console.info(`${agent}: stopped after ${Math.round(performance.now() - began)} ms`);
    await stop().waitFor({ state: 'hidden' });
    await desk.log.getByText('stopped', { exact: true }).first().waitFor();
    await desk.say('@text ready again');
    await desk.log.getByText('ready again', { exact: true }).waitFor(patience);
  });
});
