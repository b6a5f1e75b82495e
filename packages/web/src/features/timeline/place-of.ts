import type { Row } from '@liminal/domain/timeline/row';
import type { Rows } from '@liminal/domain/timeline/rows';

const holds = (row: Row, itemId: string): boolean => {
  switch (row.kind) {
    case 'group':
      return row.itemIds.includes(itemId);
    case 'tool':
      return row.itemId === itemId || row.children.some((child) => holds(child, itemId));
    case 'turn-start':
    case 'turn-end':
      return false;
    case 'user':
    case 'text':
    case 'thinking':
    case 'plan':
    case 'note':
      return row.itemId === itemId;
  }
};

/** The index of the row that shows an item; -1 if none does. */
export function placeOf(rows: Pick<Rows, 'length' | 'at'>, itemId: string): number {
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows.at(index);
    if (row !== undefined && holds(row, itemId)) return index;
  }
  return -1;
}
