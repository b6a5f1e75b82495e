const [shortest, fewestKinds, shortestUnit, fewestSteps] = [16, 8, 12, 4];

/** Why a token that a person gave would not keep a patient guesser out; null for one that would. */
export function weaknessOf(token: string): string | null {
  if (token.length < shortest) return 'it is too short';
  if (/[^\x21-\x7e]/.test(token)) return "it has spaces or other characters that aren't allowed in a token";
  if (new Set(token).size < fewestKinds) return 'it has too few distinct characters';
  if (unitLength(token) < shortestUnit) return 'it repeats itself';
  const steps = new Set(Array.from(token.slice(1), (_, at) => token.charCodeAt(at + 1) - token.charCodeAt(at)));
  return steps.size < fewestSteps ? 'its characters follow a pattern' : null;
}

/** How long the part is that is repeated, also where the last repetition is cut off; the whole length for none. */
function unitLength(text: string): number {
  for (let length = 1; length < text.length; length += 1) {
    if (text.startsWith(text.slice(length))) return length;
  }
  return text.length;
}
