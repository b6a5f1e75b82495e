import type { Accumulator } from '@liminal/domain/accumulate/accumulator';
import type { Emission } from '@liminal/domain/accumulate/emission';
import type { ItemPlaces } from '../../acp/translate/item-places.ts';

/** A plan is shown as a message. */
export type TextType = 'message' | 'thinking' | 'plan';

/** Messages, thoughts and plans, each under Codex's own id. */
export type TextTranslation = {
  delta(type: TextType, id: string, text: string, at: number): readonly Emission[];
  /** Another part of a text starts: it is separated from the one before. */
  part(id: string): void;
  started(type: TextType, id: string, text: string, at: number): readonly Emission[];
  completed(type: TextType, id: string, text: string, at: number): readonly Emission[];
  /** A review is over: its final text is sent again under another id. */
  reviewed(): void;
  /** The id that Codex's record has for a text sent twice. */
  sourceIdOf(itemId: string): string | undefined;
  /** The turn is over: the accumulator decides what happens to open texts. */
  forget(): void;
};

type OpenText = { readonly type: TextType; readonly itemId: string; content: string; gap: string };

export function createTextTranslation(accumulator: Accumulator, places: ItemPlaces): TextTranslation {
  const open = new Map<string, OpenText>();
  const ended = new Set<string>();
  const renamed = new Map<string, string>();
  let review: string | undefined;

  /**
   * One text grows at a time: a text that a steered message interrupted is over when the next starts. Only a plan grows
   * beside the message it is written in, which may go on after it.
   */
  function begin(type: TextType, id: string, text: string, at: number): readonly Emission[] {
    const broken = type === 'plan' ? [] : [...open].filter(([, other]) => other.type !== 'plan');
    for (const [other] of broken) {
      ended.add(other);
      open.delete(other);
    }
    const shownAs = type === 'plan' ? 'message' : type;
    const place = places.next(`${shownAs}:${id}`);
    open.set(id, { type, itemId: place.itemId, content: text, gap: '' });
    return [
      ...broken.flatMap(([, { itemId }]) => accumulator.finishText(itemId, at)),
      ...accumulator.startText({ ...place, type: shownAs, content: text }, at),
    ];
  }

  /** The same text the review has just ended with: one item, not two. */
  function isRepeated(id: string, text: string): boolean {
    const before = review === undefined ? undefined : open.get(review);
    if (review === undefined || !before || before.content !== text) return false;
    open.set(id, before);
    renamed.set(before.itemId, `message:${id}`);
    open.delete(review);
    review = undefined;
    return true;
  }

  function delta(type: TextType, id: string, text: string, at: number): readonly Emission[] {
    if (id === '' || text === '' || ended.has(id)) return [];
    const known = open.get(id);
    if (!known) return begin(type, id, text, at);
    const added = known.content === '' ? text : known.gap + text;
    known.gap = '';
    known.content += added;
    return accumulator.appendText(known.itemId, added, at);
  }

  return {
    delta,
    part(id) {
      const known = open.get(id);
      if (known) known.gap = '\n\n';
    },
    started(type, id, text, at) {
      if (text === '' || open.has(id) || ended.has(id) || isRepeated(id, text)) return [];
      return begin(type, id, text, at);
    },
    completed(type, id, text, at) {
      if (ended.has(id)) return [];
      ended.add(id);
      const begun = open.has(id) || text === '' || isRepeated(id, text) ? [] : begin(type, id, text, at);
      const known = open.get(id);
      open.delete(id);
      return known ? [...begun, ...accumulator.finishText(known.itemId, at, text === '' ? undefined : text)] : begun;
    },
    reviewed() {
      review = [...open.keys()].at(-1);
    },
    sourceIdOf: (itemId) => renamed.get(itemId),
    forget() {
      renamed.clear();
      open.clear();
      ended.clear();
      review = undefined;
    },
  };
}
