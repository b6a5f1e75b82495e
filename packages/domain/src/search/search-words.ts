/** What a person searches for: each phrase must be found; the last one may be the beginning of a word. */
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
