/** Lower case without accents, character by character, so that a place in the result is the same place in the text. */
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
