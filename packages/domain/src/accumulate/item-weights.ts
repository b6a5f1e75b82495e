import { approximateLength } from '../items/approximate-bytes.ts';
import { growingTextOf, type OpenItem } from './open-item.ts';

/** The approximate number of characters in open items. The cost of an update depends only on what changed. */
export type ItemWeights = {
  weigh(item: OpenItem): void;
  forget(item: OpenItem): void;
  total(): number;
};

type Weight = { readonly of: unknown; readonly beside: number; all: number };

export function createItemWeights(): ItemWeights {
  const weights = new Map<OpenItem, Weight>();
  let total = 0;
  return {
    weigh(item) {
      const of = besideText(item);
      const before = weights.get(item);
      // Parts that weren't replaced keep their weight: only the text may have grown.
      const beside = before && before.of === of ? before.beside : approximateLength(of);
      const all = beside + (growingTextOf(item)?.length() ?? 0);
      total += all - (before?.all ?? 0);
      weights.set(item, { of, beside, all });
    },
    forget(item) {
      total -= weights.get(item)?.all ?? 0;
      weights.delete(item);
    },
    total: () => total,
  };
}

function besideText(item: OpenItem): unknown {
  switch (item.type) {
    case 'message':
    case 'thinking':
      return undefined;
    case 'tool_call':
      return item.fields;
    case 'plan':
      return item.entries;
  }
}
