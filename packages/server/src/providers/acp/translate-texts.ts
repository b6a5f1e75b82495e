import type { Accumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import type { ItemPlaces } from './item-places.ts';

export type TextChunk = { readonly type: 'message' | 'thinking'; readonly messageId?: string; readonly text: string };

/** Cuts an agent's chunks into messages and thoughts. */
export type TextTranslation = {
  chunk(chunk: TextChunk, at: number): readonly Emission[];
  /** Something else begins: the text that was growing is finished. */
  finish(at: number): readonly Emission[];
  /** The turn is over: what becomes of the growing text is the accumulator's to say. */
  forget(): void;
};

/**
 * One text grows at a time. It goes on while kind and message id stay the same (thought and answer may share an id);
 * without ids, until the kind changes or a call comes between. Text under an old id that comes after a call is an item
 * of its own, so that what is read stays in the order in which it was said.
 */
export function createTextTranslation(accumulator: Accumulator, places: ItemPlaces): TextTranslation {
  let open: { readonly key: string; readonly itemId: string } | undefined;

  function finish(at: number): readonly Emission[] {
    if (open === undefined) return [];
    const { itemId } = open;
    open = undefined;
    return accumulator.finishText(itemId, at);
  }

  return {
    finish,
    forget() {
      open = undefined;
    },
    chunk({ type, messageId, text }, at) {
      const key = `${type}:${messageId ?? ''}`;
      if (open?.key === key) return accumulator.appendText(open.itemId, text, at);
      // Blank lines before the first words are an agent's way of parting blocks, not part of the text.
      const content = text.replace(/^\s*\n/, '');
      if (content.trim() === '') return [];
      const finished = finish(at);
      const place = places.next(messageId === undefined ? undefined : key);
      open = { key, itemId: place.itemId };
      return [...finished, ...accumulator.startText({ ...place, type, content }, at)];
    },
  };
}
