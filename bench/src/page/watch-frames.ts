import type { Page } from 'playwright-core';

export type Frames = {
  /** Milliseconds between each frame and the next. */
  readonly gaps: readonly number[];
  readonly longestTask: number;
  /** The maximum number of timeline rows whose content changed between two frames. */
  readonly mostRows: number;
  /** How often rows were added to or removed from the timeline. */
  readonly listChanges: number;
};

type Watched = { gaps: number[]; longestTask: number; mostRows: number; listChanges: number; stop: () => void };

/** Watches the page's frames, its long tasks and changes in its timeline; stops and returns the result. */
export async function watchFrames(page: Page): Promise<() => Promise<Frames>> {
  await page.evaluate(() => {
    const seen: Watched = { gaps: [], longestTask: 0, mostRows: 0, listChanges: 0, stop: () => {} };
    const changed = new Set<Element>();
    let last = performance.now();
    let hasRows = false;
    let isOver = false;
    const frame = (now: number): void => {
      seen.gaps.push(now - last);
      last = now;
      seen.mostRows = Math.max(seen.mostRows, changed.size);
      changed.clear();
      if (!isOver) requestAnimationFrame(frame);
    };
    const mutations = new MutationObserver((records) => {
      for (const { target, addedNodes, removedNodes } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        if (element?.classList.contains('virtual-list-rows')) {
          // The answer's own row is added once; afterwards the list has no reason to change.
          if (hasRows) seen.listChanges += addedNodes.length + removedNodes.length;
          else hasRows = true;
          continue;
        }
        const row = element?.closest('.virtual-list-row > *');
        if (row) changed.add(row);
      }
    });
    mutations.observe(document.querySelector('.session') ?? document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    const tasks = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longestTask = Math.max(seen.longestTask, duration);
    });
    tasks.observe({ entryTypes: ['longtask'] });
    seen.stop = () => {
      isOver = true;
      mutations.disconnect();
      tasks.disconnect();
    };
    (globalThis as unknown as { watched: Watched }).watched = seen;
    requestAnimationFrame(frame);
  });
  return () =>
    page.evaluate(() => {
      const { stop, ...seen } = (globalThis as unknown as { watched: Watched }).watched;
      stop();
      return seen;
    });
}
