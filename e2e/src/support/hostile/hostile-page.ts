import type { UpsertObject } from '@liminal/contracts';
import type { Ready } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Look, TestBrowser, Visitor } from '../browser.ts';
import { endedTurn, inOrder } from '../samples.ts';
import { type ScriptedServer, scriptServer } from '../scripted-server.ts';

export type Shown = Visitor & {
  readonly server: ScriptedServer;
  /** Dialogs, popups and navigations that the page caused. */
  readonly doors: string[];
};

/** Tall enough to draw every row of a batch at once. */
export const tall = { width: 1280, height: 6000 };
export const log = (page: Page) => page.getByRole('log');
export const collapsed = (page: Page) => log(page).locator('.collapsible-line[aria-expanded=false]');

/** A page with hundreds of rows takes a while on a busy machine. */
export const patience = { timeout: 60_000 };

export const expandAll = (page: Page) =>
  expect
    .poll(async () => {
      await page.evaluate(() => {
        for (const line of document.querySelectorAll<HTMLElement>('.collapsible-line[aria-expanded=false]'))
          line.click();
      });
      return collapsed(page).count();
    }, patience)
    .toBe(0);

/** The real page with these items in its session, with listeners for dialogs, popups and navigation. */
export async function showItems(
  browser: TestBrowser,
  ready: Ready,
  items: readonly UpsertObject[],
  more: object = {},
  look: Look = tall,
): Promise<Shown> {
  const visitor = await browser.visitor(look);
  const { page } = visitor;
  const doors: string[] = [];
  page.on('dialog', (dialog) => {
    doors.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (popup) => doors.push(`popup ${popup.url()}`));
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || !frame.url().startsWith(new URL(ready.url).origin)) doors.push(frame.url());
  });
  await page.addInitScript(() => {
    const obeyed: string[] = [];
    const note = (what: string) => (): Promise<void> => {
      obeyed.push(what);
      return Promise.resolve();
    };
    Object.assign(globalThis, { obeyed });
    if ('clipboard' in navigator)
      Object.assign(navigator.clipboard, { writeText: note('clipboard'), write: note('clipboard') });
    document.execCommand = () => obeyed.push('execCommand') > 0;
    addEventListener('securitypolicyviolation', (event) =>
      obeyed.push(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  const server = await scriptServer(page, ready, { entries: inOrder('t1', items), turns: [endedTurn('t1')], ...more });
  await log(page).waitFor();
  return { ...visitor, server, doors };
}

/** Checks that hostile text has had no effect anywhere in a session. */
export async function expectHarmless({ page, foreignRequests, doors }: Shown, what = ''): Promise<void> {
  // Wait until everything is drawn, which is when it would do harm.
  await expect.poll(() => page.locator('.diagram-stage').count(), patience).toBe(0);
  const found = await page.evaluate(() => {
    const session = document.querySelector('.session');
    const all = [...(session?.querySelectorAll('*') ?? [])];
    const forbidden =
      'script,iframe,object,embed,applet,link,meta,base,style,video,audio,img,image,portal,frameset,math';
    // A diagram is an image the page drew itself, and a formula includes its meaning as MathML.
    const isDrawn = (element: Element): boolean =>
      element.matches('img.diagram-picture[src^="blob:"]') || element.matches('.formula .katex-mathml > math');
    // Links that look like buttons are the page's own.
    const links = [...(session?.querySelectorAll<HTMLAnchorElement>('a:not(.button)') ?? [])];
    const ranges = [
      [0x00, 0x08],
      [0x0b, 0x0c],
      [0x0e, 0x1f],
      [0x7f, 0x9f],
      [0x202a, 0x202e],
      [0x2066, 0x2069],
    ] as const;
    const acts = (text: string): boolean =>
      Array.from(text, (each) => each.codePointAt(0) ?? 0).some((code) =>
        ranges.some(([first, last]) => code >= first && code <= last),
      );
    return {
      pwned: 'pwned' in globalThis,
      obeyed: (globalThis as { obeyed?: string[] }).obeyed,
      title: document.title,
      elements: [...(session?.querySelectorAll(forbidden) ?? [])]
        .filter((element) => !isDrawn(element))
        .map((element) => element.outerHTML.slice(0, 120)),
      reaching: [...(session?.querySelectorAll('.formula *') ?? [])]
        .filter((element) => /url\(|fixed|\/\//.test(element.getAttribute('style') ?? '') || element.id !== '')
        .concat([...(session?.querySelectorAll('.formula :is([href], [src], [class*=permission])') ?? [])])
        .map((element) => element.outerHTML.slice(0, 120)),
      handlers: all.filter((element) => element.getAttributeNames().some((name) => name.startsWith('on'))).length,
      names: all
        .filter((element) => element.id === 'root' || (element.hasAttribute('name') && element.tagName !== 'INPUT'))
        .map((one) => one.outerHTML),
      links: links
        .filter(
          (link) =>
            link.target !== '_blank' || !link.relList.contains('noopener') || !/^(https?|mailto):/.test(link.href),
        )
        .map((link) => link.outerHTML),
      hidden: links
        .filter((link) => !`${link.textContent}${link.nextElementSibling?.textContent ?? ''}`.includes(link.host))
        .map((link) => link.outerHTML),
      acting: all
        .flatMap((element) => [
          ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.nodeValue ?? ''),
          element.getAttribute('title') ?? '',
          element.getAttribute('aria-label') ?? '',
        ])
        .filter(acts)
        .map((text) => JSON.stringify(text.slice(0, 80))),
    };
  });
  expect(found, what).toEqual({
    pwned: false,
    obeyed: [],
    title: expect.stringContaining('Scripted session'),
    elements: [],
    reaching: [],
    handlers: 0,
    names: [],
    links: [],
    hidden: [],
    acting: [],
  });
  expect(doors, what).toEqual([]);
  expect(foreignRequests, what).toEqual([]);
}
