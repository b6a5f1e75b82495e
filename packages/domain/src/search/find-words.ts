/** A parsed search: every phrase must match; the last one may match the start of a word. */
export type SearchWords = { readonly phrases: readonly string[]; readonly isOpenEnded: boolean };

const mostPhrases = 12;
/** A phrase without any of these contains no word. */
const wordCharacter = /[\p{L}\p{N}\p{Co}]/u;

/** Accepts any input: words, and quoted phrases. Everything else only separates words. */
export function searchWords(input: string): SearchWords {
  const clean = input.toWellFormed().replace(/\p{Cc}/gu, ' ');
  const found = [...clean.matchAll(/"([^"]*)"?|[^\s"]+/g)].map((match) => ({
    text: (match[1] ?? match[0]).trim(),
    isQuoted: match[1] !== undefined,
    reachesEnd: match.index + match[0].length === clean.length,
  }));
  const phrases = found.filter(({ text }) => wordCharacter.test(text)).slice(0, mostPhrases);
  const last = phrases.at(-1);
  return {
    phrases: phrases.map(({ text }) => text),
    isOpenEnded: last !== undefined && last.reachesEnd && !last.isQuoted,
  };
}

/** A match in a text, in UTF-16 units. */
export type Find = { readonly start: number; readonly end: number };

const word = String.raw`[\p{L}\p{N}\p{M}\p{Co}]`;
const everyWord = new RegExp(`${word}+`, 'gu');

/** A prepared phrase: its words in normalised form, and the pattern that matches them in sequence. */
type Phrase = { readonly words: readonly string[]; readonly pattern: () => RegExp };

function phraseOf(text: string, mayGoOn: boolean): Phrase | null {
  const words = normaliseText(text).match(everyWord);
  if (!words) return null;
  let made: RegExp | null = null;
  const make = (): RegExp => {
    // Words contain only letters, digits and marks, so nothing needs to be escaped.
    const inARow = words.join(`(?:(?!${word}).){1,40}?`);
    return new RegExp(`(?<!${word})${inARow}${mayGoOn ? `${word}*` : `(?!${word})`}`, 'gsu');
  };
  return { words, pattern: () => (made ??= make()) };
}

/** The same phrases are used for every title and text, so they are prepared once. */
const ready = new WeakMap<SearchWords, readonly Phrase[]>();

function phrasesOf(searched: SearchWords): readonly Phrase[] {
  const known = ready.get(searched);
  if (known) return known;
  const { phrases, isOpenEnded } = searched;
  const made = phrases.flatMap((text, index) => phraseOf(text, isOpenEnded && index === phrases.length - 1) ?? []);
  ready.set(searched, made);
  return made;
}

/** Whether normalised text contains all words anywhere: a fast check that excludes nearly every text without them. */
export function mayHaveWords(searched: SearchWords): (normalised: string) => boolean {
  const all = phrasesOf(searched).flatMap(({ words }) => words);
  return (normalised) => {
    for (const each of all) if (!normalised.includes(each)) return false;
    return true;
  };
}

/** All matches of all phrases, in order, without overlaps. Null if any phrase doesn't match. */
export function findWords(text: string, searched: SearchWords): readonly Find[] | null {
  const normalised = normaliseText(text);
  if (!mayHaveWords(searched)(normalised)) return null;
  const finds: Find[] = [];
  for (const { pattern } of phrasesOf(searched)) {
    const before = finds.length;
    for (const match of normalised.matchAll(pattern())) {
      finds.push({ start: match.index, end: match.index + match[0].length });
    }
    if (finds.length === before) return null;
  }
  finds.sort((a, b) => a.start - b.start || b.end - a.end);
  let keptEnd = 0;
  return finds.filter(({ start, end }) => {
    if (start < keptEnd) return false;
    keptEnd = end;
    return true;
  });
}

/** Lower case without accents. Every character keeps its length, so indices in the result are valid in the text. */
export function normaliseText(text: string): string {
  // Fast path for ASCII, which is nearly all code and much text: the loop below is fifty times slower.
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase();
  let normalised = '';
  for (const character of text) {
    const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    normalised += plain.length === character.length ? plain : (plain + character).slice(0, character.length);
  }
  return normalised;
}
