import { describe, expect, it } from 'vitest';
import { capabilities, scriptServer } from './support/scripted-server.ts';
import { setStage } from './support/stage.ts';

const stage = setStage({ demoSpeed: 5 });

describe('choosing the agent of a new session', () => {
  it('has the likely one begun while the person still reads, where nothing stays behind of one that is not used', async () => {
    const { page } = await stage.browser.visitor();
    const server = await scriptServer(page, stage.ready);
    const prepared = () => server.posted.filter(({ path }) => path === '/api/session/prepare');
    const agent = page.getByRole('dialog').getByRole('button', { name: 'Claude Code' });
    const offer = (can: object) =>
      server.answer('/api/providers', {
        providers: [
          { cliType: 'claude-code', name: 'Claude Code', available: true, capabilities: { ...capabilities, ...can } },
        ],
      });
    await page.locator('#composer-input').waitFor();

    offer({});
    await page.keyboard.press('Alt+KeyN');
    await agent.waitFor();
    await page.keyboard.press('Escape');
    await agent.waitFor({ state: 'detached' });
    expect(prepared()).toEqual([]);

    offer({ prepare: true });
    await page.keyboard.press('Alt+KeyN');
    await agent.waitFor();
    await expect
      .poll(prepared, { timeout: 10_000 })
      .toEqual([{ method: 'POST', path: '/api/session/prepare', body: { cliType: 'claude-code', projectId: 'p1' } }]);
    server.answer('/api/session/create', { sessionId: 'made', cliType: 'claude-code', projectId: 'p1' }, 201);
    await agent.click();
    await expect.poll(() => server.posted.some(({ path }) => path === '/api/session/create')).toBe(true);
    expect(prepared()).toHaveLength(1);
  });
});
