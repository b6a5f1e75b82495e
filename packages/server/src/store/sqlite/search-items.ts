import type { SearchWords } from '@liminal/domain/search/find-words';
import { createFindCollector, type ItemFind, type ItemSearch } from '../item-search.ts';
import type { Statement } from './open-database.ts';

/** How many items are looked at for one search: more of one session than this hide what is older. */
const mostLookedAt = 15_000;

const findSql = `
  SELECT items.id, items.session_id FROM item_words JOIN items ON items.id = item_words.rowid
  WHERE item_words MATCH ? AND NOT EXISTS (
    SELECT 1 FROM turns
    WHERE turns.session_id = items.session_id AND turns.turn_id = items.turn_id AND turns.state = 'rewound'
  ) ORDER BY item_words.rowid DESC LIMIT ${mostLookedAt}`;
const readSql = `
  SELECT items.session_id, items.item_id, items.turn_id, items.body ->> '$.type' AS type,
    items.body ->> '$.origin' AS origin, items.body ->> '$.emittedAt' AS at, item_texts.text
  FROM items JOIN item_texts ON item_texts.id = items.id WHERE items.id = ?`;

/** Newest first: in a record of work the latest mention is nearly always the one that is meant. */
export function searchItems(prepared: (sql: string) => Statement, search: ItemSearch): ItemFind[] {
  if (search.words.phrases.length === 0) return [];
  const collector = createFindCollector(search);
  const ids: number[] = [];
  for (const row of prepared(findSql).iterate(matchOf(search.words))) {
    if (collector.wants(String(row['session_id']))) ids.push(Number(row['id']));
    if (collector.isFull()) break;
  }
  return ids.flatMap((id) => {
    const row = prepared(readSql).get(id);
    return row ? [findOf(row)] : [];
  });
}

/** Every phrase between quotes, in which a quote is doubled: nothing a person types is read as a rule of FTS. */
function matchOf({ phrases, isOpenEnded }: SearchWords): string {
  const quoted = phrases.map((phrase) => `"${phrase.replaceAll('"', '""')}"`);
  return `${quoted.join(' AND ')}${isOpenEnded ? '*' : ''}`;
}

const findOf = (row: Record<string, unknown>): ItemFind => ({
  sessionId: String(row['session_id']),
  itemId: String(row['item_id']),
  turnId: String(row['turn_id']),
  type: String(row['type']),
  origin: typeof row['origin'] === 'string' ? row['origin'] : null,
  at: String(row['at']),
  text: String(row['text']),
});
