import { foldText } from './fold-text.ts';
import type { SearchWords } from './search-words.ts';

/** A find in a text, in UTF-16 units. */
export type Find = { readonly start: number; readonly end: number };

const word = String.raw`[\p{L}\p{N}\p{M}\p{Co}]`;

/** A pattern for one phrase in folded text: its words in a row, whatever stands between them. */
function phrasePattern(phrase: string, mayGoOn: boolean): RegExp | null {
  const words = foldText(phrase).match(new RegExp(`${word}+`, 'gu'));
  if (!words) return null;
  // Only letters, digits and marks are left: none of them means anything to a pattern.
  const inARow = words.join(`(?:(?!${word}).){1,40}?`);
  return new RegExp(`(?<!${word})${inARow}${mayGoOn ? `${word}*` : `(?!${word})`}`, 'gsu');
}

/** Every find of every phrase, in order, without overlaps. Null when a phrase is not there at all. */
export function findWords(text: string, { phrases, isOpenEnded }: SearchWords): readonly Find[] | null {
  const folded = foldText(text);
  const finds: Find[] = [];
  for (const [index, phrase] of phrases.entries()) {
    const pattern = phrasePattern(phrase, isOpenEnded && index === phrases.length - 1);
    if (!pattern) continue;
    const before = finds.length;
    for (const match of folded.matchAll(pattern))
      finds.push({ start: match.index, end: match.index + match[0].length });
    if (finds.length === before) return null;
  }
  finds.sort((a, b) => a.start - b.start || b.end - a.end);
  return finds.filter((find, index) => index === 0 || find.start >= (finds[index - 1]?.end ?? 0));
}
