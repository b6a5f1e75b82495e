import type { Mode, Row } from './bench.ts';
import { judge } from './judge.ts';
import { figure } from './report/number-words.ts';

/** On a shared machine, a second of other load causes a miss. */
const tries: Record<Mode, number> = { quick: 1, full: 3 };

/** Measures again if a budget is missed. Returns the last result, and describes the previous tries. */
export async function tryAgain<Found extends { readonly rows: readonly Row[] }>(
  mode: Mode,
  measure: () => Promise<Found>,
): Promise<{ readonly found: Found; readonly earlier: readonly string[] }> {
  const earlier: string[] = [];
  for (;;) {
    const found = await measure();
    const missed = found.rows.filter((row) => judge(row) === 'missed');
    if (missed.length === 0 || earlier.length === tries[mode] - 1) return { found, earlier };
    const words = missed.map(({ measure: name, value, unit, baseline }) => {
      const beside = baseline === undefined ? '' : `, baseline ${figure(baseline)} ${unit}`;
      return `${name}: ${figure(value)} ${unit}${beside}`;
    });
    earlier.push(`Try ${earlier.length + 1} missed (${words.join('; ')}) and was measured again.`);
  }
}
