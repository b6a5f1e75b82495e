import type { BudgetName } from './budgets.ts';
import type { BarPlot } from './report/bar-plot.ts';

export type Mode = 'quick' | 'full';

/** One figure. With a `baseline`, measured in the same run, the two are compared by their ratio. */
export type Row = {
  readonly measure: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  readonly ratio?: number;
  /** The line of budgets.ts it is held against. */
  readonly budget?: BudgetName;
  /** Half of the middle half of the rounds, as a part of their median: how much the figure swayed. */
  readonly noise?: number;
};

export type BenchResult = {
  readonly rows: readonly Row[];
  readonly plots?: readonly BarPlot[];
  /** What a reader must know to believe the figures. */
  readonly remarks?: readonly string[];
};

export type Bench = {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** Too long for a quick run, which leaves it out unless it is named. */
  readonly isLong?: boolean;
  /** What is measured and how, in a sentence or two. */
  readonly measures: string;
  run(mode: Mode, wishes: { readonly peers: boolean }): Promise<BenchResult> | BenchResult;
};
