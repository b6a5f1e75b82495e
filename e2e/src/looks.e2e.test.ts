import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { comparePictures } from './support/looks/compare-pictures.ts';
import { type Kept, lookOf, showState, type StateName, takePicture } from './support/looks/states.ts';
import { setStage } from './support/stage.ts';

const root = join(import.meta.dirname, '../..');
/** The expected pictures of the page. `npm run renew-looks` takes them again. */
const kept = join(import.meta.dirname, '../looks');
const results = join(root, 'node_modules/.cache/liminal/looks');
const isRenewing = process.env['LIMINAL_RENEW_LOOKS'] === '1';
const stage = setStage();

type Case = readonly [state: StateName, width: 1440 | 1100 | 390, scheme: 'light' | 'dark', kept?: Kept];
const cases: readonly Case[] = [
  ['first-screen', 1100, 'light'],
  ['home', 1440, 'dark'],
  ['session', 1440, 'light'],
  ['session', 1440, 'dark'],
  ['session', 1100, 'dark', { theme: 'contrast', density: 'compact' }],
  ['session', 390, 'light'],
  ['session-empty', 1100, 'light'],
  ['rich-text', 1100, 'light'],
  ['review', 1440, 'dark'],
  ['permission-edit', 1440, 'dark'],
  ['permission-edit', 390, 'light'],
  ['permission-question', 1100, 'light'],
  ['rich-text', 390, 'dark'],
  ['failed', 1100, 'light'],
  ['inbox', 1440, 'light'],
  ['list', 390, 'dark'],
  ['palette', 1440, 'dark'],
  ['new-session', 1440, 'light'],
  ['files', 1100, 'light'],
  ['details', 1440, 'light'],
];
const nameOf = ([state, width, scheme, chosen]: Case): string =>
  [state, width, chosen?.theme ?? scheme, chosen?.density].filter(Boolean).join('-');

/** What the accessibility tests don't cover: the views that replace the conversation, and high contrast. */
const withAxe = new Set(['review-1440-dark', 'files-1100-light', 'session-1100-contrast-compact']);

/** A state whose picture was deleted is compared again once `npm run renew-looks` has taken it. */
const compared = cases.filter((each) => isRenewing || existsSync(join(kept, `${nameOf(each)}.png`)));

beforeAll(() => {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  mkdirSync(kept, { recursive: true });
});

it.each(compared.map((each) => [nameOf(each), each] as const))('looks like its picture: %s', async (name, each) => {
  const [state, width, scheme, chosen] = each;
  const { page, faults } = await stage.browser.visitor(lookOf(width, scheme));
  await showState(page, stage.ready, state, chosen);
  const after = await takePicture(page);
  if (state !== 'disconnected') expect(faults).toEqual([]);
  if (withAxe.has(name)) expect(await violations(page)).toEqual([]);
  const file = join(kept, `${name}.png`);
  if (isRenewing) return writeFileSync(file, after);
  const { isSame, marked } = await comparePictures(page, readFileSync(file), after);
  if (isSame) return undefined;
  writeFileSync(join(results, `${name}.png`), after);
  writeFileSync(join(results, `${name}-differs.png`), marked);
  expect.fail(
    `The page doesn't look like ${relative(root, file)}. See ${relative(root, results)}/${name}.png, and ${name}-differs.png for what differs. If it should look like this, run npm run renew-looks.`,
  );
});

it.each([
  ['rewind', 'light'],
  ['worktrees', 'dark'],
  ['bring-back', 'light'],
  ['bring-back-conflict', 'dark'],
  ['park', 'light'],
  ['project-settings', 'light'],
  ['review', 'contrast'],
  ['home', 'contrast'],
  ['settings', 'contrast'],
  ['palette', 'contrast'],
  ['inbox', 'contrast'],
  ['permission-edit', 'contrast'],
] as const)('axe finds nothing in %s in %s', async (state, theme) => {
  const { page } = await stage.browser.visitor(lookOf(1100, theme === 'dark' ? 'dark' : 'light'));
  await showState(page, stage.ready, state, theme === 'contrast' ? { theme } : {});
  expect(await violations(page)).toEqual([]);
});
