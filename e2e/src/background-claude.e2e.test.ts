import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SessionPage } from './support/session-page.ts';
import { type RealAgents, startRealAgents } from './support/real-agents.ts';

// What the real Claude Code does in the background, in real Chromium. The tests share one session, each in its own
// page.
let agents: RealAgents;
let sessions: SessionPage;
const patience = { timeout: 20_000 };
const sockets = new Set<WebSocketRoute>();
beforeAll(async () => {
  agents = await startRealAgents();
});
beforeEach(async () => {
  sockets.clear();
  sessions = await agents.visit(({ page }) =>
    page.routeWebSocket(/\/ws$/, (socket) => {
      sockets.add(socket);
      socket.connectToServer();
    }),
  );
});
afterAll(() => agents.close());

const made = (file: string): boolean => existsSync(join(agents.projectDir, file));

/** Drops the connection to the server, and waits until the page reconnects by itself. */
async function cutSocket(): Promise<void> {
  const lost = [...sockets];
  sockets.clear();
  await Promise.all(lost.map((socket) => socket.close()));
  await expect.poll(() => sockets.size, patience).toBeGreaterThan(0);
}

it('PM-1: a subagent asks for permission and gets an answer', async () => {
  await sessions.start('Claude Code');
  await sessions.say('@task @write by-subagent.txt|hello\\n@text written', '@text done');
  await sessions.asked();
  await sessions.card.locator('.diff-line', { hasText: 'hello' }).waitFor();
  await sessions.press('1');
  await sessions.ended(1);
  expect(made('by-subagent.txt')).toBe(true);
});

it('shows the state of a background task while it runs and when it is done', async () => {
  const file = join(agents.projectDir, 'go');
  await sessions.say(`@background until test -e ${file}; do sleep 0.1; done`, '@text left it running');
  await sessions.ended(2);
  const panel = await sessions.details('Tasks');
  // A subagent that its turn waited for is a tool call, not a background task.
  const tasks = panel.getByRole('listitem');
  await expect.poll(() => tasks.allInnerTexts()).toEqual([expect.stringContaining('Running')]);
  expect(await panel.getByRole('tab', { name: 'Tasks' }).innerText()).toContain('1');
  writeFileSync(file, '');
  await expect.poll(() => tasks.allInnerTexts(), patience).toEqual([expect.stringContaining('Done')]);
  // The agent continues by itself: a turn that the user didn't ask for.
  await sessions.ended(3);
});

it('PM-1 PM-2: background subagents ask during and after their turn, in order, and across a lost connection', async () => {
  const subagent = (name: string): string => `background-task @write ${name}.txt|by ${name}\\n@text written`;
  await sessions.say(`@${subagent('early')}`, `@+${subagent('late')}`, '@text the turn is over');
  await sessions.ended(4);
  await sessions.asked();
  await sessions.card.getByText('1 of 2').waitFor();
  await cutSocket();
  await sessions.card.getByText('1 of 2').waitFor();

  // Another turn starts and ends meanwhile, and closes none of the requests.
  expect(await sessions.page.getByRole('button', { name: /^Stop/ }).count()).toBe(0);
  await sessions.say('@text meanwhile');
  await sessions.ended(5);
  await sessions.card.getByText('1 of 2').waitFor();
  await sessions.card.getByRole('button', { name: 'Allow once' }).click();
  await sessions.card.getByText('1 of 2').waitFor({ state: 'hidden' });
  await sessions.asked();
  await sessions.card.getByRole('button', { name: 'Allow once' }).click();
  await sessions.card.waitFor({ state: 'hidden' });
  await expect.poll(() => [made('early.txt'), made('late.txt')], patience).toEqual([true, true]);
});
