import type { UpsertObject } from '@liminal/contracts';
import { findWords } from '@liminal/domain/search/find-words';
import { createFindCollector, type ItemFind, type ItemSearch } from '../item-search.ts';
import type { ItemRow } from '../rows.ts';

/** The same search without an index, for tests. */
export function searchMemory(
  rows: readonly ItemRow[],
  isCancelled: (row: ItemRow) => boolean,
  search: ItemSearch,
): ItemFind[] {
  if (search.words.phrases.length === 0) return [];
  const collector = createFindCollector(search);
  const finds: ItemFind[] = [];
  for (const row of rows.toReversed()) {
    const { sessionId, itemId, turnId, body } = row;
    const hasEnded = body.status === 'complete' || body.status === 'error' || isCancelled(row);
    if (collector.isFull() || !hasEnded || !findWords(textOf(body), search.words)) continue;
    if (!collector.wants(sessionId)) continue;
    collector.take(sessionId);
    const origin = body.type === 'message' ? body.origin : null;
    finds.push({ sessionId, itemId, turnId, type: body.type, origin, at: body.emittedAt, text: textOf(body) });
  }
  return finds;
}

function textOf(body: UpsertObject): string {
  switch (body.type) {
    case 'message':
    case 'thinking':
      return body.content;
    case 'tool_call': {
      const words = Object.values(body.toolArguments).filter((value) => typeof value === 'string');
      return [body.title, body.toolName, ...words, ...(body.diffs ?? []).map(({ path }) => path), body.toolOutput].join(
        '\n',
      );
    }
    case 'plan':
      return body.entries.map(({ content }) => content).join('\n');
  }
}
