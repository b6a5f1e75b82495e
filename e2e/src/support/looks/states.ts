import type { SessionHistory } from '@liminal/contracts';
import { message } from '@liminal/domain/timeline/testing/messages';
import type { Ready } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import type { Look } from '../browser.ts';
import { richText } from '../rich-sample.ts';
import { editOptions, endedTurn, failedTurn, inOrder, request, requests } from '../samples.ts';
import { type Around, type ScriptedServer, scriptServer, sessionId } from '../scripted-server.ts';
import { inAccord } from './in-accord.ts';
import {
  answerBringBack,
  answerChanges,
  answerFiles,
  answerNoChanges,
  answerPark,
  answerPreferences,
  answerRewind,
  answerSettings,
  answerWorktrees,
} from './sample-views.ts';
import { histories, limiterDiff, now, projects, providers, sessions } from './sample-workbench.ts';

/** One state of the page: the server's data, and the user's actions. */
type State = {
  readonly history?: () => Partial<SessionHistory>;
  readonly around?: Around;
  readonly arrange?: (page: Page, server: ScriptedServer) => Promise<void>;
};

const log = (page: Page) => page.getByRole('log');
const dialog = (page: Page) => page.getByRole('dialog').waitFor();
const press =
  (keys: string) =>
  async (page: Page): Promise<void> => {
    await page.keyboard.press(keys);
    await dialog(page);
  };
const asks =
  (ask: ReturnType<typeof request>) =>
  async (page: Page, server: ScriptedServer): Promise<void> => {
    server.ask(ask);
    await page.locator('.permission[data-keys=ready]').waitFor();
  };
const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 640;
const whole: Around = { sessions, projects, providers, open: [sessionId, 'publish', 'index'] };
/** A session whose turn has ended, and what the user does then. */
const afterTurn = (arrange: NonNullable<State['arrange']>): State => ({
  history: histories.ended,
  around: whole,
  arrange,
});
/** The active session works in a worktree. */
const inWorktree: Around = {
  ...whole,
  sessions: sessions.map((each) =>
    each.sessionId === sessionId
      ? { ...each, place: { kind: 'worktree', folder: '/data/w1', branch: 'liminal/index-parcels', worktreeId: 'w1' } }
      : each,
  ),
};
const oneMessage = (content: string) => (): Partial<SessionHistory> => ({
  ...histories.ended(),
  entries: inOrder('t1', [message('t1:1:0', { content })]),
  turns: [endedTurn('t1')],
});

async function openDiff(page: Page): Promise<void> {
  await log(page)
    .getByRole('button', { name: /Edited.*limiter\.ts/ })
    .first()
    .click();
  await page.getByRole('group', { name: /Changes in/ }).waitFor();
}

/** Runs an action by its name, from the palette. */
async function act(page: Page, title: string): Promise<void> {
  await press('Control+KeyK')(page);
  await page.getByRole('dialog').getByRole('combobox').fill(title);
  await page.getByRole('option', { name: title, selected: true }).waitFor();
  await page.keyboard.press('Enter');
}

const states = {
  'first-screen': { around: { sessions: [], projects: [], providers, open: [] } },
  home: { around: { ...whole, open: [] } },
  session: { history: histories.working, around: whole, arrange: openDiff },
  'session-ended': { history: histories.ended, around: whole },
  'session-empty': { history: histories.empty, around: whole },
  'rich-text': {
    history: oneMessage(richText),
    around: whole,
    arrange: async (page) => {
      await log(page).locator('img.diagram-picture').waitFor();
      await log(page).locator('.formula .katex').nth(2).waitFor();
    },
  },
  'permission-command': { history: histories.asking, around: whole, arrange: asks(requests.command()) },
  'permission-edit': {
    history: histories.asking,
    around: whole,
    arrange: asks(
      request('edit', {
        title: 'Edit src/lib/limiter.ts',
        toolName: 'Edit',
        toolArguments: { file_path: limiterDiff.path },
        diffs: [limiterDiff],
        options: editOptions,
      }),
    ),
  },
  'permission-question': { history: histories.asking, around: whole, arrange: asks(requests.questions()) },
  failed: {
    history: () => ({
      ...histories.ended(),
      turns: [failedTurn('t1', 'PROCESS_CRASH', 'Claude Code ended unexpectedly (exit code 1).')],
    }),
    around: whole,
  },
  disconnected: afterTurn(async (page, server) => {
    server.disconnect();
    await page
      .getByText(/Disconnected/)
      .first()
      .waitFor();
  }),
  inbox: {
    around: whole,
    arrange: async (page) => {
      await page.keyboard.press('Alt+KeyI');
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    },
  },
  list: afterTurn(async (page) => {
    if (!isNarrow(page)) return;
    await page.getByRole('button', { name: 'Projects and sessions' }).click();
    await page.getByRole('navigation').getByTitle('Add fuzzy search', { exact: true }).waitFor();
  }),
  'inbox-empty': {
    around: { ...whole, sessions: sessions.filter(({ sessionId: id }) => id === 'retry') },
    arrange: async (page) => {
      await page.keyboard.press('Alt+KeyI');
      await page.getByText('Nothing needs you').waitFor();
    },
  },
  palette: { history: histories.ended, around: whole, arrange: press('Control+KeyK') },
  'palette-empty': afterTurn(async (page, server) => {
    server.answer('/api/search', { hits: [], hasMore: false });
    await press('Control+KeyK')(page);
    await page.keyboard.insertText('no such thing');
    await page.getByText('No results').waitFor();
  }),
  'new-session': afterTurn(async (page, server) => {
    const models = [{ id: 'opus', name: 'Opus 5.5' }];
    const modes = [{ id: 'default', name: 'Ask before edits' }];
    const efforts = [{ id: 'high', name: 'High' }];
    const account = { kind: 'subscription' };
    const chosen = { modelId: 'opus', modeId: 'default', effort: 'high' };
    server.answer('/session/prepare', { info: { models, modes, efforts, account, ...chosen } });
    await press('Alt+KeyN')(page);
    await page.getByText('signed in').first().waitFor();
  }),
  settings: afterTurn(async (page, server) => {
    answerPreferences(server);
    await press('Control+Comma')(page);
    await page.getByLabel('Days to keep full tool output').and(page.locator('[value="90"]')).waitFor();
  }),
  shortcuts: afterTurn(async (page) => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await press('?')(page);
  }),
  details: {
    history: histories.planned,
    around: whole,
    arrange: async (page) => {
      await page.keyboard.press('Control+KeyI');
      await page.getByRole('complementary', { name: 'Session details' }).getByRole('tab', { name: 'Usage' }).click();
    },
  },
  'bring-back': {
    ...afterTurn(async (page, server) => {
      answerBringBack(server, false);
      await press('Alt+KeyM')(page);
      await page.getByText('2 commits, 3 files').waitFor();
    }),
    around: inWorktree,
  },
  'bring-back-conflict': {
    ...afterTurn(async (page, server) => {
      answerBringBack(server, true);
      await page.getByRole('button', { name: 'Merge or publish…' }).click();
      await page.getByText('Conflicts in 3 files').waitFor();
    }),
    around: inWorktree,
  },
  park: {
    ...afterTurn(async (page, server) => {
      answerPark(server);
      await act(page, 'Park worktree');
      await page.getByText('data/local.db').waitFor();
    }),
    around: inWorktree,
  },
  find: afterTurn(async (page, server) => {
    const session = { sessionId, title: '', projectId: 'tracker', cliType: 'claude-code', updatedAt: now };
    const hit = { ...session, archived: false, where: 'item', turnId: 't1', itemType: 'message', snippet: 'limiter' };
    server.answer('/api/search', { hits: ['t1:0:0', 't1:2:0', 't1:9:0'].map((itemId) => ({ ...hit, itemId })) });
    await page.keyboard.press('Control+KeyF');
    await page.getByLabel('Find in conversation').fill('limiter');
    await page.getByText('3 of 3').waitFor();
  }),
  review: afterTurn(async (page, server) => {
    answerChanges(server);
    await page.keyboard.press('Alt+KeyR');
    const review = page.getByRole('region', { name: 'Review' });
    await review.locator('.diff-line [class^=code-]').first().waitFor();
    await review.getByText('Compare the whole path').waitFor();
  }),
  'review-empty': afterTurn(async (page, server) => {
    answerNoChanges(server);
    await page.keyboard.press('Alt+KeyR');
    await page.getByText('This session has changed no files yet.').waitFor();
  }),
  files: afterTurn(async (page, server) => {
    answerFiles(server);
    await page.keyboard.press('Alt+KeyE');
    await page.getByRole('treeitem', { name: 'limiter.ts' }).click();
    await page.locator('.cm-content').getByText('keyOf(context)').first().waitFor();
  }),
  worktrees: afterTurn(async (page, server) => {
    answerWorktrees(server);
    await act(page, 'Worktrees');
    await page.getByRole('dialog').getByText('liminal/dark-theme').first().waitFor();
  }),
  'project-settings': afterTurn(async (page, server) => {
    answerSettings(server);
    await act(page, 'Project settings');
    await page.getByRole('button', { name: 'Use npm ci' }).waitFor();
  }),
  rewind: afterTurn(async (page, server) => {
    answerRewind(server);
    await page.keyboard.press('Alt+ArrowUp');
    await page.locator('.row-user:focus').waitFor();
    await page.getByRole('button', { name: 'Rewind to before this message' }).first().press('Enter');
    await page.getByRole('heading', { name: /^Restore \d/ }).waitFor();
  }),
} satisfies Record<string, State>;
export type StateName = keyof typeof states;
export const stateNames = Object.keys(states) as readonly StateName[];

export type Kept = { readonly theme?: 'contrast'; readonly density?: 'compact' };
const heights: Readonly<Record<number, number>> = { 1440: 900, 1100: 820, 390: 844 };
export const lookOf = (width: number, scheme: 'light' | 'dark'): Look => ({
  width,
  height: heights[width] ?? 820,
  scheme,
  hasFixedFormats: true,
  isPhone: width < 640,
});

/** Brings a new page into a state, and waits until it is stable. */
export async function showState(page: Page, ready: Ready, name: StateName, kept: Kept = {}): Promise<void> {
  const { history, around, arrange }: State = states[name];
  await page.clock.setFixedTime(now);
  await page.addInitScript((chosen) => {
    // Shortcuts look the same, whatever machine takes the picture.
    Object.defineProperty(navigator, 'platform', { get: () => 'Linux x86_64' });
    // Some builds of Chromium ask about notifications, others refuse them at once.
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    for (const [key, value] of Object.entries(chosen)) localStorage.setItem(`liminal.${key}`, value);
  }, kept);
  const server = await scriptServer(page, ready, history?.(), history && around ? inAccord(around, history()) : around);
  await page.locator('.tab-bar').waitFor();
  if (history) await page.locator('.composer-input').first().waitFor();
  await arrange?.(page, server);
  // Colours of code come from a worker, after a while.
  for (const code of await page
    .locator('.code-block pre, .diff')
    .filter({ hasText: /\b(?:const|return)\b|app\.use/ })
    .all()) {
    const box = await code.boundingBox();
    // Code outside the window doesn't get its colours.
    const isInSight = box !== null && box.y < (page.viewportSize()?.height ?? 0) && box.y + box.height > 0;
    if (isInSight) await code.locator('[class^=code-]').first().waitFor();
  }
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.fonts.ready.then(() => {}));
}

/** A picture of the page once two in a row are identical. */
export async function takePicture(page: Page): Promise<Buffer> {
  const options = { animations: 'disabled', caret: 'hide' } as const;
  let before = await page.screenshot(options);
  for (let count = 0; count < 20; count += 1) {
    const after = await page.screenshot(options);
    if (after.equals(before)) return after;
    before = after;
  }
  return before;
}
