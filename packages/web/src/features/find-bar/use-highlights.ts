import { useEffect, type RefObject } from 'react';

/** Named in the style sheet. */
const name = 'find';
/** Highlighting more would slow down typing, and nobody reads that many at once. */
const most = 500;

/** Highlights the query's words in the rendered rows of the timeline while the find bar is open. */
export function useHighlights(bar: RefObject<HTMLElement | null>, query: string): void {
  useEffect(() => {
    const rows = bar.current?.closest('.session')?.querySelector('[role=log]');
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    // Not every browser can highlight text without changing the DOM.
    if (!rows || words.length === 0 || typeof CSS === 'undefined' || CSS.highlights === undefined) return undefined;
    const mark = (): void => void CSS.highlights.set(name, new Highlight(...rangesIn(rows, words)));
    mark();
    // Scrolling renders other rows, and a running agent's text grows.
    let frame = 0;
    const changes = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    changes.observe(rows, { childList: true, characterData: true, subtree: true });
    return () => {
      cancelAnimationFrame(frame);
      changes.disconnect();
      CSS.highlights.delete(name);
    };
  }, [bar, query]);
}

function rangesIn(element: Element, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null && ranges.length < most; node = texts.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? '';
    // Some letters change their length in lower case, which shifts all later positions.
    if (text.length !== node.textContent?.length) continue;
    for (const word of words)
      for (let at = text.indexOf(word); at >= 0 && ranges.length < most; at = text.indexOf(word, at + word.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
  }
  return ranges;
}
