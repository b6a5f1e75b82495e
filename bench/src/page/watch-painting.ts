import type { Page } from 'playwright-core';

type Watched = {
  /** Milliseconds from a mark's time to the end of the frame that shows it. */
  readonly took: number[];
  /** When the first words of the next answer were painted; 0 before. */
  answeredAt: number;
  /** The index of the last answer when this was called. */
  answersUntil: number;
};

/**
 * Records what appears in the page's text and when the frame that shows it was over: marks such as
 * `m12at1700000000000.5e`, and the first words of answers. A change within a frame is shown by that frame; a change
 * between two, by the next one.
 */
export async function watchPainting(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watched: Watched = { took: [], answeredAt: 0, answersUntil: -1 };
    (globalThis as unknown as { watched: Watched }).watched = watched;
    const pattern = /m(\d+)at([\d.]+)e/g;
    const seen = new Set<string>();
    let fresh: number[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target, addedNodes } of records)
        for (const { textContent } of [target, ...addedNodes])
          for (const [, id = '', at] of (textContent ?? '').slice(-2000).matchAll(pattern))
            if (!seen.has(id) && seen.add(id)) fresh.push(Number(at));
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
    const hasAnswered = (): boolean =>
      [...document.querySelectorAll('[role=log] .row-text')].some(
        (text) =>
          Number(text.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? -1) > watched.answersUntil &&
          text.textContent.trim() !== '',
      );
    const channel = new MessageChannel();
    channel.port1.addEventListener('message', () => {
      const now = performance.timeOrigin + performance.now();
      for (const at of fresh) watched.took.push(now - at);
      fresh = [];
      if (watched.answersUntil >= 0 && watched.answeredAt === 0 && hasAnswered()) watched.answeredAt = now;
    });
    channel.port1.start();
    const frame = (): void => {
      // Runs when the frame is over.
      channel.port2.postMessage(null);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** The delays of the marks so far. */
export const marksOf = (page: Page): Promise<number[]> =>
  page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched.took);

/** Starts waiting for a new answer. */
export const awaitAnswer = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('[role=log] [data-index]')];
    const { watched } = globalThis as unknown as { watched: Watched };
    watched.answeredAt = 0;
    watched.answersUntil = Math.max(0, ...rows.map((row) => Number(row.dataset['index'])));
  });

/** When the answer's first words were painted, by the clock that all processes share. */
export async function answeredAt(page: Page): Promise<number> {
  await page.waitForFunction(() => (globalThis as unknown as { watched: Watched }).watched.answeredAt > 0);
  return page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched.answeredAt);
}
