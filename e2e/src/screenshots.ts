import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { launchBrowser } from './support/browser.ts';
import { lookOf, showState, stateNames } from './support/looks/states.ts';
import { inRoot } from '../../scripts/setup/paths.mjs';

const widths = [1440, 1100, 390] as const;
const schemes = ['light', 'dark'] as const;
/** Small enough that all of them together add little to the repository. */
const quality = 35;

/** A WebP of the page, once two in a row are identical. */
async function takeWebp(page: Page): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  const take = async () => (await devtools.send('Page.captureScreenshot', { format: 'webp', quality })).data;
  await page.evaluate(() => document.documentElement.style.setProperty('caret-color', 'transparent'));
  let picture = await take();
  for (let count = 0; count < 20; count += 1) {
    const before = picture;
    picture = await take();
    if (picture === before) break;
  }
  return Buffer.from(picture, 'base64');
}

/**
 * `npm run screenshots`: every state of the page at every width, light and dark, into docs/images/states, including the
 * README's pictures. With names, only those states.
 */
const wanted = process.argv.slice(2);
const folder = inRoot('docs', 'images', 'states');
const program = startProgram();
const browser = await launchBrowser();
const ready = await program.ready;
if (wanted.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
let bytes = 0;
try {
  for (const state of stateNames.filter((name) => wanted.length === 0 || wanted.includes(name)))
    // On a phone the sidebar is a drawer; elsewhere every picture shows it.
    for (const width of state === 'list' ? ([390] as const) : widths)
      for (const scheme of schemes) {
        const { page, context } = await browser.visitor(lookOf(width, scheme));
        page.setDefaultTimeout(60_000);
        await showState(page, ready, state);
        const picture = await takeWebp(page);
        writeFileSync(`${folder}/${state}-${width}-${scheme}.webp`, picture);
        bytes += picture.length;
        await context.close();
      }
} finally {
  await browser.close();
  await program.stop();
}
console.log(
  `Took ${Math.round(bytes / 1000)} kB of pictures. Look at each in docs/images/states before you commit it.`,
);
