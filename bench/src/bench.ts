import type { BudgetName } from './budgets.ts';
import type { BarPlot } from './report/bar-plot.ts';

export type Mode = 'quick' | 'full';

/** One measurement. With a `baseline` from the same run, the two are compared by their ratio. */
export type Row = {
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  readonly ratio?: number;
  /** Its budget in budgets.ts. */
  readonly budget?: BudgetName;
  /** Half of the interquartile range of the rounds, relative to their median: how much the value varied. */
  readonly noise?: number;
};

export type BenchResult = {
  readonly rows: readonly Row[];
  readonly plots?: readonly BarPlot[];
  /** What a reader must know to trust the numbers. */
  readonly remarks?: readonly string[];
};

export type Bench = {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** Too long for a quick run, which skips it unless it is named. */
  readonly isLong?: boolean;
  /** What is measured and how, in a sentence or two. */
  readonly measures: string;
  run(mode: Mode, wishes: { readonly peers: boolean }): Promise<BenchResult> | BenchResult;
};
