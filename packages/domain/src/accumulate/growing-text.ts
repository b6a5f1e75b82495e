import type { AppendedText } from '@liminal/contracts';
import { createBatchGate } from './batch-gate.ts';
import { createTokenCounter } from './token-count.ts';

/** When gathered text is emitted. */
export type Pacing = {
  readonly batchGradient: readonly number[];
  /** Unsent text goes out when no more has come for this long. */
  readonly batchTimeoutMs: number;
  /** Unsent text goes out when its oldest part has waited this long. */
  readonly maxLatencyMs: number;
  /** The same while nothing of it has been emitted: somebody sits and waits for the first words. */
  readonly firstLatencyMs: number;
};

/** A text that grows: what was emitted, and what was not. */
export type GrowingText = {
  isEmpty(): boolean;
  hasUnsent(): boolean;
  /** Of everything so far, emitted or not. */
  length(): number;
  /** Everything so far, emitted or not. */
  current(): string;
  /** Adds a piece; `true` when the text should be emitted now. */
  append(piece: string, at: number): boolean;
  /** Makes `text` the whole of it. */
  replace(text: string, at: number): void;
  /** When unsent text is due; Infinity when there is none. */
  dueAt(): number;
  /** The whole text, from now on emitted; `appended` unless something already emitted was replaced. */
  emit(): { readonly content: string; readonly appended: AppendedText | undefined };
};

/**
 * Pieces are gathered in a list and joined once per emission, and the emitted text grows by concatenation only, which the
 * engine keeps as a rope. Slicing or searching it would flatten the rope each time and make a long answer quadratic,
 * so is left to `replace`, whose caller handed over a text of that length anyway.
 */
export function createGrowingText(pacing: Pacing): GrowingText {
  const counter = createTokenCounter();
  const gate = createBatchGate(pacing.batchGradient);
  let emitted = '';
  let unsent: string[] = [];
  let unsentLength = 0;
  /** Set by `replace`: kept whole rather than as emitted text plus a slice, because a slice would hold its parent in memory. */
  let replacement: string | undefined;
  let replacesEmitted = false;
  let oldestAt = 0;
  let newestAt = 0;
  let isFirst = true;

  const isWaiting = () => unsent.length > 0 || replacesEmitted;
  const latencyMs = () => (isFirst ? pacing.firstLatencyMs : pacing.maxLatencyMs);
  const noteArrival = (at: number) => {
    // A clock that was set back must not make text wait until it has caught up.
    if (!isWaiting() || at < oldestAt) oldestAt = at;
    newestAt = at;
  };

  return {
    isEmpty: () => (replacement ?? emitted) === '' && unsent.length === 0,
    hasUnsent: isWaiting,
    length: () => replacement?.length ?? emitted.length + unsentLength,
    current: () => replacement ?? emitted + unsent.join(''),
    append(piece, at) {
      if (piece === '') return false;
      noteArrival(at);
      unsent.push(piece);
      unsentLength += piece.length;
      if (replacement !== undefined) replacement += piece;
      const enough = gate.add(counter.add(piece));
      return enough || at - oldestAt >= latencyMs();
    },
    replace(text, at) {
      noteArrival(at);
      replacesEmitted = !text.startsWith(emitted);
      unsent = replacesEmitted || text.length === emitted.length ? [] : [text.slice(emitted.length)];
      unsentLength = unsent[0]?.length ?? 0;
      replacement = text;
    },
    dueAt: () =>
      isWaiting() ? Math.min(oldestAt + latencyMs(), newestAt + pacing.batchTimeoutMs) : Number.POSITIVE_INFINITY,
    emit() {
      const text = unsent.join('');
      const appended = replacesEmitted ? undefined : { appendedFrom: emitted.length, text };
      emitted = replacement ?? emitted + text;
      unsent = [];
      unsentLength = 0;
      replacement = undefined;
      replacesEmitted = false;
      isFirst &&= emitted === '';
      gate.reset();
      return { content: emitted, appended };
    },
  };
}
