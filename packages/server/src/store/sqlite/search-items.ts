import { findWords, type SearchWords } from '@liminal/domain/search/find-words';
import { createFindCollector, type ItemFind, type ItemSearch } from '../item-search.ts';
import type { Statement } from './open-database.ts';

/** How many matches one search reads, newest first. A session with more of them hides older ones of other sessions. */
const mostLookedAt = 15_000;
/** After 16 items with the shortened prefix, at least one in four must match; otherwise search for the full words. */
const [fewestAlike, leastMeant] = [16, 0.25];
/** The longest prefix that has its own index (migration 2). */
const indexedBeginning = /^.{1,3}/u;

const findSql = `
  SELECT items.id, items.session_id FROM item_words JOIN items ON items.id = item_words.rowid
  WHERE item_words MATCH ? ORDER BY item_words.rowid DESC LIMIT ${mostLookedAt}`;
const readSql = `
  SELECT items.session_id, items.item_id, items.turn_id, items.body ->> '$.type' AS type,
    items.body ->> '$.origin' AS origin, items.body ->> '$.emittedAt' AS at, item_texts.text
  FROM items JOIN item_texts ON item_texts.id = items.id
  WHERE items.id = ? AND NOT EXISTS (
    SELECT 1 FROM turns
    WHERE turns.session_id = items.session_id AND turns.turn_id = items.turn_id AND turns.state = 'rewound'
  )`;

/** Newest first: the latest mention is nearly always the wanted one. */
export function searchItems(prepared: (sql: string) => Statement, search: ItemSearch): ItemFind[] {
  if (search.words.phrases.length === 0) return [];
  const collect = (match: string, isMeant: ((find: ItemFind) => boolean) | null) => {
    const collector = createFindCollector(search);
    const finds: ItemFind[] = [];
    let read = 0;
    for (const { id, session_id: sessionId } of prepared(findSql).iterate(match)) {
      if (!collector.wants(String(sessionId))) continue;
      read += 1;
      if (isMeant && read > fewestAlike && finds.length < read * leastMeant) break;
      const row = prepared(readSql).get(Number(id));
      const find = row && findOf(row);
      if (!find || isMeant?.(find) === false) continue;
      collector.take(find.sessionId);
      finds.push(find);
      if (collector.isFull()) break;
    }
    return { finds, isFull: collector.isFull() };
  };
  const alike = shortened(search.words);
  if (alike !== null) {
    const { finds, isFull } = collect(matchOf(alike), ({ text }) => findWords(text, search.words) !== null);
    if (isFull) return finds;
  }
  return collect(matchOf(search.words), null).finds;
}

/**
 * The same words with the last one cut to a prefix that has its own index; null when it is short enough already. For a
 * longer prefix SQLite collects all matches before it returns the first. Common words are found through the short
 * prefix; rare ones aren't, but collecting those is fast.
 */
function shortened({ phrases, isOpenEnded }: SearchWords): SearchWords | null {
  const last = phrases.at(-1);
  if (!isOpenEnded || last === undefined) return null;
  const start = last.search(/[\p{L}\p{N}\p{M}\p{Co}]+$/u);
  const beginning = indexedBeginning.exec(last.slice(start))?.[0] ?? '';
  return start === -1 || start + beginning.length === last.length
    ? null
    : { phrases: [...phrases.slice(0, -1), last.slice(0, start) + beginning], isOpenEnded };
}

/** Quotes each phrase and doubles quotes inside it, so user input is never parsed as FTS syntax. */
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
