import type { Page } from 'playwright-core';

/** Milliseconds of a clock that all processes share. */
export const clock = (): number => performance.timeOrigin + performance.now();

/**
 * When the pattern appeared in the text of an element, by the shared clock. The page itself checks every frame, because
 * the browser driver polls only every half second after a while. NaN after the time limit.
 */
export async function seenAt(page: Page, within: string, pattern: RegExp, patienceMs = 180_000): Promise<number> {
  try {
    const handle = await page.waitForFunction(
      ({ selector, source }) =>
        new RegExp(source).test(document.querySelector(selector)?.textContent ?? '')
          ? performance.timeOrigin + performance.now()
          : 0,
      { selector: within, source: pattern.source },
      { polling: 'raf', timeout: patienceMs },
    );
    return (await handle.jsonValue()) as number;
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return Number.NaN;
    throw error;
  }
}
