import type { AppendPayload, UpsertObject } from '@liminal/contracts';
import { isEnded, textOf, withText } from '../items/item-text.ts';

/**
 * Applies an append to an item. Returns the same object if it adds nothing, and undefined if there is a gap between the
 * existing text and the new one. Text that is already there is skipped.
 */
export function appendText(item: UpsertObject, append: AppendPayload): UpsertObject | undefined {
  const text = textOf(item);
  if (item.type === 'plan' || append.offset > text.length) return undefined;
  const added = append.text.slice(text.length - append.offset);
  const status = append.status ?? (isEnded(item) ? item.status : 'update');
  if (added === '' && status === item.status) return item;
  return {
    ...(added === '' ? item : withText(item, text + added)),
    status,
    ...(append.errorCode === undefined ? {} : { errorCode: append.errorCode }),
    ...(append.errorMessage === undefined ? {} : { errorMessage: append.errorMessage }),
  };
}
