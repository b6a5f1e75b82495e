/** How well a text matches the query: lower is better; `null` if it doesn't match. */
export function fuzzyScore(typed: string, text: string): number | null {
  const target = text.toLowerCase();
  let total = 0;
  for (const part of typed.toLowerCase().split(/\s+/)) {
    if (part === '') continue;
    const score = partScore(part, target);
    if (score === null) return null;
    total += score;
  }
  // Of two equal matches, the shorter one is more likely meant.
  return total + target.length / 1000;
}

function partScore(part: string, target: string): number | null {
  const at = target.indexOf(part);
  if (at >= 0) return at === 0 || /[\s/._-]/.test(target[at - 1] ?? '') ? 0 : 1;
  // The letters in order with gaps, as in "nses" for "new session"; each gap costs.
  let place = -1;
  let gaps = 0;
  for (const letter of part) {
    const next = target.indexOf(letter, place + 1);
    if (next < 0) return null;
    if (place >= 0 && next !== place + 1) gaps += 1;
    place = next;
  }
  return gaps > part.length / 2 ? null : 2 + gaps;
}

/** The matches, best first; equal ones keep their order. */
export function fuzzyFilter<T>(typed: string, all: readonly T[], textOf: (each: T) => string): T[] {
  if (typed.trim() === '') return [...all];
  return all
    .flatMap((each) => {
      const score = fuzzyScore(typed, textOf(each));
      return score === null ? [] : [{ each, score }];
    })
    .sort((a, b) => a.score - b.score)
    .map(({ each }) => each);
}
