/**
 * The half of the rounds that the rest of the machine disturbed least, judged by both sides together: leaving rounds
 * out by one side alone would favour that side or the other.
 */
export function quietHalf<Round>(rounds: readonly Round[], disturbance: (round: Round) => number): Round[] {
  const ranked = rounds.toSorted((one, other) => disturbance(one) - disturbance(other));
  return ranked.slice(0, Math.ceil(rounds.length / 2));
}
