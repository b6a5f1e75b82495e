/**
 * The half of the rounds that other load disturbed least, judged by both sides together: judging by one side alone
 * would favour one of them.
 */
export function quietHalf<Round>(rounds: readonly Round[], disturbance: (round: Round) => number): Round[] {
  const ranked = rounds.toSorted((one, other) => disturbance(one) - disturbance(other));
  return ranked.slice(0, Math.ceil(rounds.length / 2));
}
