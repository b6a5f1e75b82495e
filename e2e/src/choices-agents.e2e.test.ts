import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionPage } from './support/session-page.ts';
import { type RealAgents, startRealAgents } from './support/real-agents.ts';

// The options of the real agents, in real Chromium.
let agents: RealAgents;
let sessions: SessionPage;
beforeAll(async () => {
  agents = await startRealAgents();
});
beforeEach(async () => {
  sessions = await agents.visit();
});
afterAll(() => agents.close());

const names = (label: 'Mode' | 'Model' | 'Effort') => sessions.picker(label).locator('option').allInnerTexts();
const value = (label: 'Mode' | 'Model' | 'Effort') => sessions.picker(label).inputValue();
const all = async () => ({ Mode: await value('Mode'), Model: await value('Model'), Effort: await value('Effort') });
async function choose(label: 'Mode' | 'Model' | 'Effort', to: string, path: string): Promise<void> {
  const reply = sessions.page.waitForResponse((each) => each.url().endsWith(path));
  await sessions.picker(label).selectOption(to);
  expect((await reply).status()).toBe(200);
  await expect.poll(() => value(label)).toBe(to);
}
const lastModel = () => {
  const bodies = agents.model.requests.flatMap(({ body }) => (body ? [body as { model?: string }] : []));
  return bodies.findLast(({ model }) => model !== undefined)?.model ?? '';
};

const cases = [
  {
    agent: 'Claude Code',
    modes: ['Ask', 'Accept edits', 'Plan', 'Allow everything'],
    chosen: { Mode: 'acceptEdits', Model: 'sonnet', Effort: 'low' },
    dangerous: 'bypassPermissions',
  },
  {
    agent: 'Codex',
    modes: ['Read-only', 'Workspace access', 'Auto review', 'Full access'],
    chosen: { Mode: 'read-only', Model: 'gpt-5.6-sol', Effort: 'low' },
    dangerous: 'agent-full-access',
  },
] as const;

describe.each(cases)('$agent', ({ agent, modes, chosen, dangerous }) => {
  it('MM-5: shows the agent’s own modes, models and efforts, which can change during a session', async () => {
    await sessions.start(agent);
    await sessions.say('@text first');
    await sessions.ended(1);
    expect(await names('Mode')).toEqual(expect.arrayContaining([...modes]));
    const before = lastModel();
    await choose('Model', chosen.Model, '/model');
    await choose('Effort', chosen.Effort, '/effort');
    await choose('Mode', chosen.Mode, '/mode');
    await sessions.say('@text second');
    await sessions.ended(2);
    expect(lastModel()).not.toBe(before);
    expect(await all()).toEqual(chosen);
  });

  it('MM-5: the agent’s next session in the project starts with the last choices', async () => {
    await sessions.start(agent);
    await expect.poll(all, { timeout: 20_000 }).toEqual(chosen);
  });

  it('MM-5: rejects an unknown mode or model, and changes nothing', async () => {
    await sessions.start(agent);
    await expect.poll(all, { timeout: 20_000 }).toEqual(chosen);
    await sessions.say('@text third');
    await sessions.ended(1);
    const path = `/api/session/${await sessions.sessionId()}`;
    await expect(agents.call('POST', `${path}/mode`, { modeId: 'no-such' })).rejects.toThrow(/400|409/);
    await expect(agents.call('POST', `${path}/model`, { modelId: 'no-such' })).rejects.toThrow(/400|409/);
    expect(await all()).toEqual(chosen);
  });

  it('PM-3: a mode without permission requests needs a confirmation that explains it, and is not remembered', async () => {
    const dialog = sessions.page.getByRole('dialog', { name: `Let ${agent} act without asking?` });
    await sessions.start(agent);
    await sessions.say('@text fourth');
    await sessions.ended(1);
    await sessions.picker('Mode').selectOption(dangerous);
    await dialog.getByText(/^In “.*” mode,.*without asking\./).waitFor();
    await sessions.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await value('Mode')).toBe(chosen.Mode);
    await sessions.picker('Mode').selectOption(dangerous);
    await dialog.locator('.button-danger').click();
    await expect.poll(() => value('Mode'), { timeout: 20_000 }).toBe(dangerous);
    // Codex gives each model its own tools; the stand-in knows those of this one.
    if (agent === 'Codex') await choose('Model', 'gpt-5.5', '/model');
    const file = `unasked-by-${dangerous}`;
    await sessions.say(`@shell touch ${file}`, '@text done');
    await sessions.ended(2);
    await expect.poll(() => existsSync(join(agents.projectDir, file))).toBe(true);
    await sessions.start(agent);
    await expect.poll(() => value('Mode')).not.toBe(dangerous);
  });
});
