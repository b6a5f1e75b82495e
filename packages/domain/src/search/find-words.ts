/** What a user searches for: each phrase must be found; the last one may be the beginning of a word. */
export type SearchWords = { readonly phrases: readonly string[]; readonly isOpenEnded: boolean };

const mostPhrases = 12;
/** A phrase without any of these has no word in it. */
const wordCharacter = /[\p{L}\p{N}\p{Co}]/u;

/** Reads any input at all: words, and phrases between quotes; everything else is no more than a gap between words. */
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

/** A find in a text, in UTF-16 units. */
export type Find = { readonly start: number; readonly end: number };

const word = String.raw`[\p{L}\p{N}\p{M}\p{Co}]`;
const everyWord = new RegExp(`${word}+`, 'gu');

/** One phrase made ready: its words as they are in normalised text, and the pattern for them in a row. */
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

/** Whether normalised text has all the words somewhere: this alone rules out nearly every text without them. */
export function mayHaveWords(searched: SearchWords): (normalised: string) => boolean {
  const all = phrasesOf(searched).flatMap(({ words }) => words);
  return (normalised) => {
    for (const each of all) if (!normalised.includes(each)) return false;
    return true;
  };
}

/** Every find of every phrase, in order, without overlaps. Null when a phrase is not there at all. */
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
  return finds.filter((find, index) => index === 0 || find.start >= (finds[index - 1]?.end ?? 0));
}

/** Lower case without accents, character by character, so a place in the result is the same place in the text. */
export function normaliseText(text: string): string {
  // Nearly all code and much text; the long way costs fifty times as much.
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase();
  let normalised = '';
  for (const character of text) {
    const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    normalised += plain.length === character.length ? plain : (plain + character).slice(0, character.length);
  }
  return normalised;
}
