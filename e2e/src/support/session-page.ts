import type { Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { sendMessage } from './send-message.ts';

/** One page as a user uses it: by accessible names and by keys. */
export type SessionPage = {
  readonly page: Page;
  readonly log: Locator;
  readonly composer: Locator;
  readonly card: Locator;
  readonly tabs: Locator;
  /** The agent's last text. */
  readonly answer: Locator;
  /** Starts a new session of an agent, by its name. Its first message creates it; before that it has no id. */
  start(agent: string): Promise<void>;
  /** Opens an existing session, by its title. */
  open(title: string): Promise<void>;
  say(...lines: string[]): Promise<void>;
  /** Waits until a request is on the page and accepts keys, and moves the focus to it. */
  asked(): Promise<void>;
  press(key: string): Promise<void>;
  /** Waits until this many turns of the session have ended, visible or not. */
  ended(count: number): Promise<void>;
  /** One part of the inspector. */
  details(part: 'Tasks' | 'Decisions' | 'Changes'): Promise<Locator>;
  /** A choice next to the composer. */
  picker(label: 'Mode' | 'Model' | 'Effort'): Locator;
  sessionId(): Promise<string>;
};

export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** Agents take a while to start. */
const patience = { timeout: 40_000, interval: 50 };

export function createSessionPage(page: Page, call: Call): SessionPage {
  const log = page.getByRole('log');
  const composer = page.locator('.pane-active .composer-input');
  const card = page.locator('.permission');
  const tabs = page.getByRole('tablist', { name: 'Open tabs' }).getByRole('tab');
  const sessionId = async () =>
    ((await tabs.and(page.locator('[aria-selected=true]')).getAttribute('id')) ?? '').replace(/^tab-(review%3A)?/, '');
  return {
    page,
    log,
    composer,
    card,
    tabs,
    answer: log.locator('.markdown').last(),
    async start(agent) {
      await page.keyboard.press('Alt+KeyN');
      const form = page.getByRole('dialog', { name: 'New session' });
      await form.getByRole('radio', { name: agent, exact: true }).check();
      await form.getByRole('button', { name: 'Start session' }).click();
      await page.getByRole('tab', { name: 'New session', selected: true }).waitFor();
      await composer.waitFor();
    },
    async open(title) {
      await page.getByRole('navigation').getByTitle(title).first().click();
      await composer.or(card).first().waitFor();
    },
    say: (...lines) => sendMessage(composer, lines),
    async asked() {
      await page.locator('.permission[data-keys=ready]').waitFor({ timeout: patience.timeout });
      await page.keyboard.press('Alt+KeyP');
      await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
    },
    press: (key) => page.keyboard.press(key),
    async ended(count) {
      const path = `/api/session/${await sessionId()}/history?limit=100`;
      await vi.waitFor(async () => {
        const { turns } = await call<{ turns: { state: string }[] }>('GET', path);
        expect(turns.filter(({ state }) => state !== 'running')).toHaveLength(count);
      }, patience);
    },
    async details(part) {
      const panel = page.getByRole('complementary', { name: 'Session details' });
      if (!(await panel.isVisible())) await page.keyboard.press('Control+KeyI');
      await panel.getByRole('tab', { name: part }).click();
      return panel;
    },
    picker: (label) => page.locator('.pane-active').getByLabel(label, { exact: true }),
    sessionId,
  };
}
