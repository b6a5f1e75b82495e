import type { Accumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import type { ItemPlaces } from './item-places.ts';

export type TextChunk = { readonly type: 'message' | 'thinking'; readonly messageId?: string; readonly text: string };

/** Splits an agent's chunks into messages and thoughts. */
export type TextTranslation = {
  chunk(chunk: TextChunk, at: number): readonly Emission[];
  /** A message sent in full each time: it grows while it continues the previous text, otherwise it starts over. */
  whole(message: { readonly messageId: string; readonly text: string }, at: number): readonly Emission[];
  /** Something else starts: the growing text is finished. */
  finish(at: number): readonly Emission[];
  /** The turn is over: the accumulator decides what happens to the growing text. */
  forget(): void;
};

/**
 * One text grows at a time. It continues while kind and message id stay the same (thought and answer may share an id);
 * without ids, until the kind changes or a call comes between. Text under an old id after a call is its own item, so
 * items stay in the order in which they were sent.
 */
export function createTextTranslation(accumulator: Accumulator, places: ItemPlaces): TextTranslation {
  let open: { readonly key: string; readonly itemId: string } | undefined;
  /** The last full text, by message id. */
  const wholes = new Map<string, string>();

  function finish(at: number): readonly Emission[] {
    if (open === undefined) return [];
    const { itemId } = open;
    open = undefined;
    return accumulator.finishText(itemId, at);
  }

  function chunk({ type, messageId, text }: TextChunk, at: number): readonly Emission[] {
    const key = keyOf(type, messageId);
    if (open?.key === key) return accumulator.appendText(open.itemId, text, at);
    // Blank lines before the first words separate blocks and aren't part of the text.
    const content = text.replace(/^\s*\n/, '');
    if (content.trim() === '') return [];
    const finished = finish(at);
    const place = places.next(messageId === undefined ? undefined : key);
    open = { key, itemId: place.itemId };
    return [...finished, ...accumulator.startText({ ...place, type, content }, at)];
  }

  return {
    finish,
    forget() {
      open = undefined;
      wholes.clear();
    },
    chunk,
    whole({ messageId, text }, at) {
      const before = wholes.get(messageId) ?? '';
      if (text === before) return [];
      wholes.set(messageId, text);
      const grows = open?.key === keyOf('message', messageId) && text.startsWith(before);
      const finished = grows ? [] : finish(at);
      const fresh = grows ? text.slice(before.length) : text;
      return [...finished, ...chunk({ type: 'message', messageId, text: fresh }, at)];
    },
  };
}

const keyOf = (type: TextChunk['type'], messageId: string | undefined): string => `${type}:${messageId ?? ''}`;
