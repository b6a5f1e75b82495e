type Rule =
  | { readonly kind: 'ratio-at-most'; readonly limit: number }
  | { readonly kind: 'ratio-at-least'; readonly limit: number }
  /** At most `factor` times the baseline plus an allowance in the row's unit. */
  | { readonly kind: 'baseline-plus'; readonly factor: number; readonly plus: number }
  | { readonly kind: 'value-at-most'; readonly limit: number };

/** An aim is shown and never fails the run (decision 21). */
export type Budget = { readonly rule: Rule; readonly from: string; readonly isAim?: boolean };

/** All budgets. None is an absolute time, except for the allowances of the specification. */
export const budgets = {
  'time per delta is flat': { rule: { kind: 'ratio-at-most', limit: 1.5 }, from: 'linear cost' },
  'time per chunk of output is flat': { rule: { kind: 'ratio-at-most', limit: 2 }, from: 'linear cost' },
  'fold costs what changed': { rule: { kind: 'ratio-at-most', limit: 1.5 }, from: 'linear cost' },
  'NFR-1 near the bare warm path': { rule: { kind: 'baseline-plus', factor: 1.15, plus: 15 }, from: 'NFR-1' },
  'NFR-1 faster than the adapter': { rule: { kind: 'ratio-at-least', limit: 6 }, from: 'NFR-1' },
  'NFR-2 near the adapter by hand': { rule: { kind: 'ratio-at-most', limit: 1.1 }, from: 'NFR-2' },
  'a load near the adapter by hand': { rule: { kind: 'baseline-plus', factor: 1.05, plus: 15 }, from: 'NFR-2' },
  'first words in the page': { rule: { kind: 'baseline-plus', factor: 1.3, plus: 50 }, from: 'first words' },
  'CX-3 faster than the adapter': { rule: { kind: 'ratio-at-least', limit: 2.5 }, from: 'CX-3' },
  'CX-3 a second turn': { rule: { kind: 'baseline-plus', factor: 1.1, plus: 5 }, from: 'CX-3' },
  'CX-3 lighter than the adapter': { rule: { kind: 'ratio-at-most', limit: 0.65 }, from: 'CX-3' },
  'CX-3 near the bare app-server': { rule: { kind: 'ratio-at-most', limit: 1.1 }, from: 'CX-3' },
  'NFR-3 near a bare socket': { rule: { kind: 'baseline-plus', factor: 1.1, plus: 1 }, from: 'NFR-3' },
  'delivery under load': { rule: { kind: 'value-at-most', limit: 50 }, from: 'load' },
  'processors under load': { rule: { kind: 'value-at-most', limit: 0.5 }, from: 'load' },
  'deliveries beside a bare broadcast': {
    rule: { kind: 'ratio-at-least', limit: 0.5 },
    from: 'delivery',
  },
  'append and deflate per text': { rule: { kind: 'ratio-at-most', limit: 1.15 }, from: 'delivery' },
  'append uncompressed per text': { rule: { kind: 'ratio-at-most', limit: 1.3 }, from: 'delivery' },
  // Not required by the specification; they detect when the writer thread stops sharing commits.
  'a durable write beside a bare commit': { rule: { kind: 'ratio-at-least', limit: 0.4 }, from: 'guard rail' },
  'shared commits beside single ones': { rule: { kind: 'ratio-at-least', limit: 3 }, from: 'guard rail' },
  'memory beside CloudCLI': { rule: { kind: 'ratio-at-most', limit: 1 }, from: 'scale' },
  'a full store starts': { rule: { kind: 'ratio-at-most', limit: 2 }, from: 'store at size' },
  'a full store answers': { rule: { kind: 'ratio-at-most', limit: 2 }, from: 'store at size' },
  'no write waits for house-keeping': { rule: { kind: 'value-at-most', limit: 50 }, from: 'store at size' },
  'a large record opens': { rule: { kind: 'value-at-most', limit: 1_000 }, from: 'Claude Code', isAim: true },
  'a long record opens in the page': {
    rule: { kind: 'value-at-most', limit: 300 },
    from: 'long sessions',
    isAim: true,
  },
  'a key of a mention': { rule: { kind: 'value-at-most', limit: 50 }, from: 'composer', isAim: true },
  'opening is flat': { rule: { kind: 'baseline-plus', factor: 1.5, plus: 50 }, from: 'long sessions' },
  'a long session is as light as a short one': { rule: { kind: 'ratio-at-most', limit: 2 }, from: 'long sessions' },
  'no blank areas': { rule: { kind: 'value-at-most', limit: 0 }, from: 'long sessions' },
  'another tab': { rule: { kind: 'value-at-most', limit: 100 }, from: 'tabs', isAim: true },
  'any point of a session': { rule: { kind: 'value-at-most', limit: 1000 }, from: 'long sessions', isAim: true },
  'a command beside a bare script': { rule: { kind: 'ratio-at-most', limit: 1.2 }, from: 'command line', isAim: true },
  search: { rule: { kind: 'value-at-most', limit: 100 }, from: 'search', isAim: true },
  'main thread while streaming': { rule: { kind: 'value-at-most', limit: 0.5 }, from: 'streaming' },
  'longest task while streaming': { rule: { kind: 'value-at-most', limit: 100 }, from: 'streaming', isAim: true },
  'one row a frame': { rule: { kind: 'value-at-most', limit: 1 }, from: 'streaming' },
  'the list stays': { rule: { kind: 'value-at-most', limit: 0 }, from: 'streaming' },
  // React keeps a second copy of what it rendered more than once, so a slow answer may use a little more than a fast
  // one.
  'heap whatever the number of updates': { rule: { kind: 'ratio-at-most', limit: 1.25 }, from: 'streaming' },
  'streaming is flat': { rule: { kind: 'ratio-at-most', limit: 1.5 }, from: 'streaming' },
  'sent per byte of text': { rule: { kind: 'value-at-most', limit: 1.15 }, from: 'delivery' },
  'NFR-3 near a bare page': { rule: { kind: 'baseline-plus', factor: 1.1, plus: 1 }, from: 'NFR-3', isAim: true },
  'NFR-4 first visible text': { rule: { kind: 'value-at-most', limit: 200 }, from: 'NFR-4' },
  'first load, uncompressed': { rule: { kind: 'value-at-most', limit: 1.5 }, from: 'first load' },
  'first load, compressed': { rule: { kind: 'value-at-most', limit: 500 }, from: 'first load' },
  'nothing foreign': { rule: { kind: 'value-at-most', limit: 0 }, from: 'first load' },
  'a dead agent is reported': { rule: { kind: 'value-at-most', limit: 1000 }, from: 'NFR-5' },
  'nothing slips through': { rule: { kind: 'value-at-most', limit: 0 }, from: 'permissions' },
  'nothing is left in time': { rule: { kind: 'value-at-most', limit: 3000 }, from: 'NFR-5' },
  'nothing is left': { rule: { kind: 'value-at-most', limit: 0 }, from: 'NFR-5' },
  'a dead server is reported': { rule: { kind: 'value-at-most', limit: 2000 }, from: 'connection', isAim: true },
  'changes through Redis': { rule: { kind: 'ratio-at-least', limit: 0.6 }, from: 'cluster' },
  'an update costs Redis': { rule: { kind: 'ratio-at-most', limit: 3 }, from: 'cluster' },
  'an update costs Redis what changed': { rule: { kind: 'ratio-at-most', limit: 1.5 }, from: 'cluster' },
  'one machine crossed': { rule: { kind: 'baseline-plus', factor: 1, plus: 5 }, from: 'cluster', isAim: true },
  'RV-8 a list of changes near git by hand': {
    rule: { kind: 'baseline-plus', factor: 1.3, plus: 30 },
    from: 'RV-8',
  },
  'RV-8 a patch opens': { rule: { kind: 'value-at-most', limit: 100 }, from: 'RV-8', isAim: true },
  'RV-8 no long task in a review': { rule: { kind: 'value-at-most', limit: 100 }, from: 'RV-8', isAim: true },
  'CP-1 a checkpoint near git by hand': { rule: { kind: 'baseline-plus', factor: 1.3, plus: 30 }, from: 'CP-1' },
  'CP-1 faster than a fresh index': { rule: { kind: 'ratio-at-least', limit: 4 }, from: 'CP-1' },
  // Starting git takes most of the time here: without any check or sync, git alone reaches 2.9 (docs/performance.md).
  'CP-1 faster than a fresh index of 1,000 files': { rule: { kind: 'ratio-at-least', limit: 1.3 }, from: 'CP-1' },
  'CP-1 no command of an agent fails': { rule: { kind: 'value-at-most', limit: 0 }, from: 'CP-1' },
  'WT-2 a worktree near bare git': { rule: { kind: 'baseline-plus', factor: 1.5, plus: 1000 }, from: 'WT-2' },
  'WT-4 parking near bare git': { rule: { kind: 'baseline-plus', factor: 2, plus: 1000 }, from: 'WT-4' },
  'WT-4 restoring near bare git': { rule: { kind: 'baseline-plus', factor: 1.5, plus: 1000 }, from: 'WT-4' },
  'WT-6 idle worktrees cost no time': { rule: { kind: 'baseline-plus', factor: 1, plus: 0.05 }, from: 'WT-6' },
  'WT-6 idle worktrees need no process': { rule: { kind: 'value-at-most', limit: 0 }, from: 'WT-6' },
  'WT-6 idle worktrees need no watch': { rule: { kind: 'value-at-most', limit: 0 }, from: 'WT-6' },
  'IN-3 one change': { rule: { kind: 'value-at-most', limit: 16 }, from: 'IN-3' },
  'clicks to a running session': { rule: { kind: 'value-at-most', limit: 2 }, from: 'everyday' },
  'heap of a session': { rule: { kind: 'value-at-most', limit: 20 }, from: 'memory' },
  'FL-1 first result': { rule: { kind: 'value-at-most', limit: 300 }, from: 'FL-1', isAim: true },
  'FL-1 a search is cancelled': { rule: { kind: 'value-at-most', limit: 100 }, from: 'FL-1', isAim: true },
  'FL-1 the server is never blocked': { rule: { kind: 'value-at-most', limit: 50 }, from: 'FL-1', isAim: true },
  'TM-2 output beside a bare PTY': { rule: { kind: 'ratio-at-least', limit: 0.7 }, from: 'TM-2' },
  'TM-2 key to echo beside a bare PTY': { rule: { kind: 'baseline-plus', factor: 1.2, plus: 5 }, from: 'TM-2' },
  'TM-2 memory under endless output': { rule: { kind: 'value-at-most', limit: 64 }, from: 'TM-2' },
  'TM-2 others under endless output': { rule: { kind: 'value-at-most', limit: 50 }, from: 'TM-2', isAim: true },
  'TM-2 Ctrl+C stops the output': { rule: { kind: 'value-at-most', limit: 200 }, from: 'TM-2', isAim: true },
  'TM-2 no long task under endless output': { rule: { kind: 'value-at-most', limit: 50 }, from: 'TM-2', isAim: true },
  'idle memory': { rule: { kind: 'value-at-most', limit: 80 }, from: 'idle cost', isAim: true },
} as const satisfies Record<string, Budget>;

export type BudgetName = keyof typeof budgets;
