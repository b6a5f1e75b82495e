import { defaultGradient } from './batch-gate.ts';
import { createCallItems, type CallItems } from './call-items.ts';
import { createCore } from './core.ts';
import type { Emission } from './emission.ts';
import { createPlanItems, type PlanItems } from './plan-items.ts';
import { failOrForget, settleTurn } from './settle-turn.ts';
import type { ItemFailure } from './emit-item.ts';
import { createTextItems, type TextItems } from './text-items.ts';
import type { TurnOutcome, TurnStart } from './turns.ts';

export type AccumulatorOptions = {
  readonly sessionId: string;
  readonly providerId: string;
  readonly batchGradient?: readonly number[] | undefined;
  /** Unsent text is emitted when nothing more has arrived for this long. Default 1000. */
  readonly batchTimeoutMs?: number | undefined;
  /** Unsent text is emitted when its oldest part has waited this long. Default Infinity. */
  readonly maxLatencyMs?: number | undefined;
  /** The same for the first emission of a text. Default: the value above. */
  readonly firstLatencyMs?: number | undefined;
  /** `false`: a call is emitted when it starts and when it ends, and not while its arguments and output grow. */
  readonly announceArguments?: boolean | undefined;
};

/**
 * Turns an agent's output into item states and turn events. It has no clock: `at` is the time in ms, and the caller
 * runs `tick` at `nextDue`. It is tolerant: input for an unknown or ended item, call or turn changes nothing.
 */
export type Accumulator = TextItems &
  CallItems &
  PlanItems & {
    startTurn(turn: TurnStart, at: number): readonly Emission[];
    /** Ends a turn once; afterwards only its open calls, late items and system notes are emitted. */
    endTurn(turnId: string, outcome: TurnOutcome, at: number): readonly Emission[];
    /** Ends an item with an error and keeps its text. */
    failItem(itemId: string, failure: ItemFailure, at: number): readonly Emission[];
    /** Drops an item silently. */
    dropItem(itemId: string): readonly Emission[];
    /** Emits what is due. */
    tick(at: number): readonly Emission[];
    /** When `tick` next has something to emit; `null` if nothing is waiting. */
    nextDue(): number | null;
    /** Approximate number of characters held in open items. */
    heldLength(): number;
    /**
     * The source is gone: every open item ends with `error`, including calls that waited for a late result. It ends no
     * turn; end a running one first. Nothing is emitted afterwards.
     */
    destroy(at: number, failure?: ItemFailure): readonly Emission[];
  };

const sourceGone: ItemFailure = { code: 'PROCESS_CRASH', message: 'The agent stopped before this was finished' };

export function createAccumulator(options: AccumulatorOptions): Accumulator {
  const { maxLatencyMs = Number.POSITIVE_INFINITY } = options;
  const core = createCore({
    identity: { sessionId: options.sessionId, providerId: options.providerId },
    pacing: {
      batchGradient: options.batchGradient ?? defaultGradient,
      batchTimeoutMs: options.batchTimeoutMs ?? 1000,
      maxLatencyMs,
      firstLatencyMs: options.firstLatencyMs ?? maxLatencyMs,
    },
    announceArguments: options.announceArguments ?? true,
  });
  const { items, turns } = core;

  return {
    ...createTextItems(core),
    ...createCallItems(core),
    ...createPlanItems(core),
    startTurn: (turn) => (core.isDestroyed() ? [] : turns.start(turn)),
    endTurn(turnId, outcome, at) {
      if (core.isDestroyed() || turns.isOver(turnId)) return [];
      const settled = settleTurn(core, turnId, outcome, at);
      items.forgetTurn(turnId);
      return [...settled, ...turns.end(turnId, outcome)];
    },
    failItem(itemId, failure, at) {
      const item = items.find(itemId);
      if (!item) return [];
      item.sourceAt = at;
      return [items.fail(item, failure, at)];
    },
    dropItem(itemId) {
      const item = items.find(itemId);
      if (item) items.drop(item);
      return [];
    },
    tick: (at) => items.dueBy(at).map((item) => items.emit(item, at)),
    nextDue() {
      const dueAt = items.dueAt();
      return dueAt === Number.POSITIVE_INFINITY ? null : dueAt;
    },
    heldLength: () => items.heldLength(),
    destroy(at, failure = sourceGone) {
      const emissions = items.all().flatMap((item) => failOrForget(core, item, failure, at));
      core.markDestroyed();
      return emissions;
    },
  };
}
