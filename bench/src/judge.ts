import type { Row } from './bench.ts';
import { type Budget, type BudgetName, budgets } from './budgets.ts';

export type Verdict = 'none' | 'kept' | 'missed' | 'aim kept' | 'aim missed';

/** Compares a row with its budget. A value that isn't a number never meets it. */
export function judge(row: Row, table: Readonly<Record<string, Budget>> = budgets): Verdict {
  const budget = row.budget === undefined ? undefined : table[row.budget];
  if (!budget) return 'none';
  const isKept = keeps(row, budget);
  if (budget.isAim) return isKept ? 'aim kept' : 'aim missed';
  return isKept ? 'kept' : 'missed';
}

function keeps({ value, ratio = Number.NaN, baseline = Number.NaN }: Row, { rule }: Budget): boolean {
  switch (rule.kind) {
    case 'ratio-at-most':
      return ratio <= rule.limit;
    case 'ratio-at-least':
      return ratio >= rule.limit;
    case 'baseline-plus':
      return value <= baseline * rule.factor + rule.plus;
    case 'value-at-most':
      return value <= rule.limit;
  }
}

/** The limit as text, for the table. */
export function limitOf(name: BudgetName, unit: string): string {
  const { rule }: Budget = budgets[name];
  switch (rule.kind) {
    case 'ratio-at-most':
      return `≤ ${rule.limit}×`;
    case 'ratio-at-least':
      return `≥ ${rule.limit}×`;
    case 'baseline-plus':
      return `≤ ${rule.factor}× + ${rule.plus} ${unit}`;
    case 'value-at-most':
      return `≤ ${rule.limit} ${unit}`;
  }
}
