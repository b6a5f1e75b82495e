import type { Attachment, MessageOrigin } from '@liminal/contracts';
import type { Core } from './core.ts';
import type { Emission } from './emission.ts';
import { createGrowingText } from './growing-text.ts';
import { newItem, type ItemPlace, type TextItem } from './open-item.ts';

export type TextStart = ItemPlace & {
  readonly type: 'message' | 'thinking';
  /** Only for a message; the agent's by default. */
  readonly origin?: MessageOrigin | undefined;
  /** Only for a thinking item, if it differs from the accumulator's own. */
  readonly providerId?: string | undefined;
  readonly content?: string | undefined;
};

export type WholeMessage = ItemPlace & {
  readonly content: string;
  readonly origin: MessageOrigin;
  readonly attachments?: readonly Attachment[] | undefined;
};

/** Messages and thinking. Input for items that aren't open, or of another type, is ignored. */
export type TextItems = {
  /** Opens a text; it isn't emitted while it is empty. */
  startText(start: TextStart, at: number): readonly Emission[];
  appendText(itemId: string, text: string, at: number): readonly Emission[];
  /**
   * Ends a text. `finalContent` wins if it extends the appended text. Otherwise the appended text stays: readers may
   * have seen it, a text never shrinks, and the outcome must not depend on how much was already emitted.
   */
  finishText(itemId: string, at: number, finalContent?: string, origin?: MessageOrigin): readonly Emission[];
  /** Emits a whole message at once. System notes may also come between turns, with the latest turn's id. */
  putMessage(message: WholeMessage, at: number): readonly Emission[];
};

export function createTextItems(core: Core): TextItems {
  const findText = (itemId: string): TextItem | undefined => {
    const item = core.items.find(itemId);
    return item?.type === 'message' || item?.type === 'thinking' ? item : undefined;
  };

  const append = (item: TextItem, text: string, at: number): readonly Emission[] => {
    if (text === '') return [];
    item.sourceAt = at;
    if (item.text.append(text, at)) return [core.items.emit(item, at)];
    core.items.await(item);
    return [];
  };

  return {
    startText(start, at) {
      if (!core.mayOpen(start)) return [];
      const item = newText(core, start, at);
      core.items.open(item);
      return append(item, start.content ?? '', at);
    },
    appendText(itemId, text, at) {
      const item = findText(itemId);
      return item ? append(item, text, at) : [];
    },
    finishText(itemId, at, finalContent, origin) {
      const item = findText(itemId);
      if (!item) return [];
      item.sourceAt = at;
      if (finalContent !== undefined && finalContent.startsWith(item.text.current()))
        item.text.replace(finalContent, at);
      if (item.type === 'message' && origin !== undefined && origin !== item.origin) {
        item.origin = origin;
        item.changed = true;
      }
      return completeText(core, item, at);
    },
    putMessage(message, at) {
      const late = message.late ?? message.origin === 'system';
      if (!core.mayOpen({ ...message, late })) return [];
      const item = newText(core, { ...message, type: 'message' }, at);
      core.items.open(item);
      item.text.append(message.content, at);
      return [core.items.complete(item, at)];
    },
  };
}

function newText(core: Core, start: TextStart & Pick<WholeMessage, 'attachments'>, at: number): TextItem {
  return {
    ...newItem(start, at),
    type: start.type,
    providerId: start.providerId ?? core.identity.providerId,
    origin: start.origin ?? 'agent',
    attachments: start.attachments,
    text: createGrowingText(core.pacing),
  };
}

/** A text that ends before it was emitted is created first, so readers see its start; an empty one only ends. */
export function completeText(core: Core, item: TextItem, at: number): readonly Emission[] {
  const created = !item.emitted && !item.text.isEmpty() ? [core.items.emit(item, at)] : [];
  return [...created, core.items.complete(item, at)];
}
