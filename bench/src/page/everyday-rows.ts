import type { Row } from '../bench.ts';
import { budgets } from '../budgets.ts';
import { median, noiseOf } from '../statistics/quantile.ts';
import type { FirstRun } from './contenders/first-run.ts';
import type { Beginning, FirstLoad, LongAnswer } from './contenders/measure.ts';
import type { Mishaps } from './contenders/mishaps.ts';

/** All measurements of one program. */
export type Everyday = {
  readonly memory: number;
  /** After a session's first answer, when nothing happens any more. */
  readonly withAgent: number;
  readonly first: readonly number[];
  readonly begun: readonly Beginning[];
  readonly long: LongAnswer;
  readonly load: FirstLoad;
  readonly record: { readonly openMs: number; readonly heapMb: number };
  readonly topMs: number;
  readonly gone: Mishaps;
  readonly firstRun: FirstRun;
};

type Line = {
  readonly measure: string;
  readonly unit?: string;
  readonly of: (one: Everyday) => number | undefined;
  readonly budget?: Row['budget'];
};

const linesFor = (answer: string): readonly Line[] => [
  { measure: 'resident memory of the server before the first session', unit: 'MB', of: ({ memory }) => memory },
  {
    measure: 'resident memory of the server with one open agent, idle',
    unit: 'MB',
    of: ({ withAgent }) => withAgent,
    budget: 'memory beside CloudCLI',
  },
  { measure: 'Enter to the first visible words, new session', unit: 'ms', of: ({ first }) => median(first) },
  {
    measure: 'first screen to a session in an existing folder: clicks before typing and Enter',
    of: ({ begun }) => Math.max(...begun.map(({ clicks }) => clicks)),
    budget: 'clicks to a running session',
  },
  {
    measure: 'first screen, a message and Enter, to the first visible words',
    unit: 'ms',
    of: ({ begun }) => median(begun.map(({ firstWordsMs }) => firstWordsMs)),
  },
  { measure: `${answer}: last words visible after the model finished`, unit: 'ms', of: ({ long }) => long.lateMs },
  { measure: `${answer}: main thread busy`, of: ({ long }) => long.share, budget: 'main thread while streaming' },
  {
    measure: `${answer}: longest task`,
    unit: 'ms',
    of: ({ long }) => long.longestTask,
    budget: 'longest task while streaming',
  },
  { measure: `${answer}: bytes sent per byte`, of: ({ long }) => long.sentPerByte },
  {
    measure: 'open a session of 10,000 messages: click to painted end',
    unit: 'ms',
    of: ({ record }) => record.openMs,
    budget: 'a long record opens in the page',
  },
  { measure: 'open a session of 10,000 messages: heap of the page', unit: 'MB', of: ({ record }) => record.heapMb },
  { measure: 'from the last of 2,000 messages to the first with the wheel', unit: 'ms', of: ({ topMs }) => topMs },
  { measure: 'reload during an answer: earlier text visible again', unit: 'ms', of: ({ gone }) => gone.reloaded },
  { measure: 'reload during an answer: copies of the user’s message', of: ({ gone }) => gone.ownMessages },
  {
    measure: 'agent killed: reported in the page',
    unit: 'ms',
    of: ({ gone }) => gone.agentDied,
    budget: 'a dead agent is reported',
  },
  { measure: 'agent killed: still reported after a reload (1 = yes)', of: ({ gone }) => gone.stillSaid },
  {
    measure: 'server killed: reported in the page',
    unit: 'ms',
    of: ({ gone }) => gone.serverLost,
    budget: 'a dead server is reported',
  },
  {
    measure: 'server restarted: reconnected with earlier text (including the start)',
    unit: 'ms',
    of: ({ gone }) => gone.recovered,
  },
  {
    measure: 'reload during a permission request: request visible again',
    unit: 'ms',
    of: ({ gone }) => gone.askedAgain,
  },
  { measure: 'permission request: still open after a minute (1 = yes)', of: ({ gone }) => gone.stillAsked },
  {
    measure: '“node -e 1” always allowed: “node -e 1; touch x” runs without asking (1 = yes)',
    of: ({ gone }) => gone.slipped,
    budget: 'nothing slips through',
  },
  {
    measure: 'first load: script, uncompressed',
    unit: 'MB',
    of: ({ load }) => load.scriptMb,
    budget: 'first load, uncompressed',
  },
  {
    measure: 'first load: total sent',
    unit: 'kB',
    of: ({ load }) => load.sentKb,
    budget: 'first load, compressed',
  },
  { measure: 'first load: requests to other hosts', of: ({ load }) => load.foreign, budget: 'nothing foreign' },
  { measure: 'first run: fields to fill in', of: ({ firstRun }) => firstRun.fields },
  { measure: 'first run: buttons to press', of: ({ firstRun }) => firstRun.clicks },
  { measure: 'first run: program start to first answer', unit: 'ms', of: ({ firstRun }) => firstRun.answeredMs },
];

/** One row for each measurement; the second program's numbers are the baseline. */
export function everydayRows([ours, peer]: readonly Everyday[], words: number): Row[] {
  if (!ours) return [];
  const answer = `${Math.round((words * 6.9) / 1000)} KB at 400 words a second`;
  return linesFor(answer).flatMap(({ measure, unit = '', of, budget }): Row[] => {
    const value = of(ours);
    if (value === undefined) return [];
    const baseline = peer && (of(peer) ?? Number.NaN);
    const canBeJudged = budget !== undefined && (peer || budgets[budget].rule.kind === 'value-at-most');
    return [
      {
        measure,
        value,
        unit,
        ...(baseline === undefined ? {} : { baseline, ratio: value / baseline }),
        ...(canBeJudged ? { budget } : {}),
        ...(measure.startsWith('Enter') ? { noise: noiseOf(ours.first) } : {}),
      },
    ];
  });
}
