import type { Page } from 'playwright-core';

export type Blanks = {
  /** Frames in which the list had scrolled. */
  readonly frames: number;
  /** How many of them had a gap without rows higher than two lines. */
  readonly blank: number;
  /** The highest such gap, in pixels. */
  readonly tallest: number;
};

type Watched = { frames: number; blank: number; tallest: number; isOver: boolean };

/** Checks after every frame whether rows fill the list; stops and returns the result. */
export async function watchBlanks(page: Page, list: string): Promise<() => Promise<Blanks>> {
  await page.evaluate((selector) => {
    const seen: Watched = { frames: 0, blank: 0, tallest: 0, isOver: false };
    (globalThis as unknown as { blanks: Watched }).blanks = seen;
    const twoLines = 50;
    let place = Number.NaN;
    /** The gaps that the last frame shows between the rows, above and below them. */
    const tallestBlank = (scroller: Element): number => {
      const { top, bottom } = scroller.getBoundingClientRect();
      const rows = [...scroller.querySelectorAll('.virtual-list-row')]
        .map((row) => row.getBoundingClientRect())
        .filter((row) => row.bottom > top && row.top < bottom)
        .toSorted((a, b) => a.top - b.top);
      let [tallest, filledTo] = [0, top];
      for (const row of rows) {
        tallest = Math.max(tallest, row.top - filledTo);
        filledTo = Math.max(filledTo, row.bottom);
      }
      return Math.max(tallest, bottom - filledTo);
    };
    const channel = new MessageChannel();
    channel.port1.addEventListener('message', () => {
      const scroller = document.querySelector(selector);
      if (scroller === null || scroller.scrollTop === place) return;
      place = scroller.scrollTop;
      const blank = tallestBlank(scroller);
      seen.frames += 1;
      if (blank > twoLines) seen.blank += 1;
      seen.tallest = Math.max(seen.tallest, blank);
    });
    channel.port1.start();
    const frame = (): void => {
      // Runs when the frame is over.
      channel.port2.postMessage(null);
      if (!seen.isOver) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, list);
  return () =>
    page.evaluate(() => {
      const seen = (globalThis as unknown as { blanks: Watched }).blanks;
      seen.isOver = true;
      return { frames: seen.frames, blank: seen.blank, tallest: seen.tallest };
    });
}
