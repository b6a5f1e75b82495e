import { normaliseText } from './normalise-text.ts';
import type { SearchWords } from './search-words.ts';

/** A find in a text, in UTF-16 units. */
export type Find = { readonly start: number; readonly end: number };

const word = String.raw`[\p{L}\p{N}\p{M}\p{Co}]`;
const everyWord = new RegExp(`${word}+`, 'gu');

/** One phrase made ready: its words as they stand in normalised text, and the pattern for them in a row. */
type Phrase = { readonly words: readonly string[]; readonly pattern: () => RegExp };

function phraseOf(text: string, mayGoOn: boolean): Phrase | null {
  const words = normaliseText(text).match(everyWord);
  if (!words) return null;
  let made: RegExp | null = null;
  const make = (): RegExp => {
    // Only letters, digits and marks are left: none of them means anything to a pattern.
    const inARow = words.join(`(?:(?!${word}).){1,40}?`);
    return new RegExp(`(?<!${word})${inARow}${mayGoOn ? `${word}*` : `(?!${word})`}`, 'gsu');
  };
  return { words, pattern: () => (made ??= make()) };
}

/** The same words are looked for in every title and every find: they are made ready once. */
const ready = new WeakMap<SearchWords, readonly Phrase[]>();

function phrasesOf(searched: SearchWords): readonly Phrase[] {
  const known = ready.get(searched);
  if (known) return known;
  const { phrases, isOpenEnded } = searched;
  const made = phrases.flatMap((text, index) => phraseOf(text, isOpenEnded && index === phrases.length - 1) ?? []);
  ready.set(searched, made);
  return made;
}

/** Every find of every phrase, in order, without overlaps. Null when a phrase is not there at all. */
export function findWords(text: string, searched: SearchWords): readonly Find[] | null {
  const normalised = normaliseText(text);
  const phrases = phrasesOf(searched);
  // Nearly every text is told apart without a pattern.
  if (phrases.some(({ words }) => words.some((each) => !normalised.includes(each)))) return null;
  const finds: Find[] = [];
  for (const { pattern } of phrases) {
    const before = finds.length;
    for (const match of normalised.matchAll(pattern())) {
      finds.push({ start: match.index, end: match.index + match[0].length });
    }
    if (finds.length === before) return null;
  }
  finds.sort((a, b) => a.start - b.start || b.end - a.end);
  return finds.filter((find, index) => index === 0 || find.start >= (finds[index - 1]?.end ?? 0));
}
