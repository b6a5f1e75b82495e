/** Counts tokens while text arrives in pieces; a token is a run of non-space characters. */
export type TokenCounter = {
  /** How many tokens start in this piece. A run that continues from the previous piece was already counted. */
  add(piece: string): number;
};

/**
 * Takes time in proportion to the piece, however long the text before it; the sum equals the count of the whole text.
 */
export function createTokenCounter(): TokenCounter {
  let insideToken = false;
  return {
    add(piece) {
      let begun = 0;
      for (let index = 0; index < piece.length; index += 1) {
        const space = isSpace(piece.charCodeAt(index));
        if (!space && !insideToken) begun += 1;
        insideToken = !space;
      }
      return begun;
    },
  };
}

/**
 * Matches `\s` per UTF-16 unit. No space is outside the basic plane, so half of a surrogate pair is never one and a
 * piece may end inside a pair.
 */
function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0xa0) return false;
  return (
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}
