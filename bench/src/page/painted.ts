import type { Page } from 'playwright-core';

type Seen = {
  /** The text that must be visible inside this element. */
  readonly within: string;
  readonly words: string;
};
type Act = Seen & { readonly click?: string; readonly key?: string };

/** Milliseconds from a click to the frame in which the text is painted. */
export const paintedAfterClick = (page: Page, wanted: Seen & { readonly click: string }): Promise<number> =>
  paintedAfter(page, wanted);

/** The same from a key pressed with Ctrl in the element that shows the text. */
export const paintedAfterKey = (page: Page, wanted: Seen & { readonly key: string }): Promise<number> =>
  paintedAfter(page, wanted);

/** Runs in the page itself, so the time the click or key takes through the protocol isn't included. */
const paintedAfter = (page: Page, wanted: Act): Promise<number> =>
  page.evaluate(async ({ click, key, within, words }) => {
    const painted = () =>
      new Promise<void>((resolve) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.addEventListener('message', () => resolve());
          channel.port1.start();
          channel.port2.postMessage(null);
        }),
      );
    const isSeen = (): boolean => {
      const box = document.querySelector(within)?.getBoundingClientRect();
      if (!box) return false;
      // Paragraphs, user messages and search results; and the answers of another program's page.
      return [...document.querySelectorAll(`${within} :is(p, .user-text, [role=option], .prose)`)].some((part) => {
        if (!part.textContent.includes(words)) return false;
        const { top, bottom } = part.getBoundingClientRect();
        return top < box.bottom && bottom > box.top;
      });
    };
    const target = document.querySelector<HTMLElement>(click ?? within);
    if (!target) throw new Error(`There is no ${click ?? within}.`);
    const began = performance.now();
    if (key === undefined) target.click();
    else target.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true }));
    for (;;) {
      await painted();
      if (isSeen()) return performance.now() - began;
      if (performance.now() - began > 30_000) throw new Error(`"${words}" was not painted.`);
    }
  }, wanted);
