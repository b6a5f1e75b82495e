import type { AppendedText } from '@liminal/contracts';
import { createBatchGate } from './batch-gate.ts';
import { createTokenCounter } from './token-count.ts';

/** When to emit gathered text. */
export type Pacing = {
  readonly batchGradient: readonly number[];
  /** Unsent text is emitted when nothing more has arrived for this long. */
  readonly batchTimeoutMs: number;
  /** Unsent text is emitted when its oldest part has waited this long. */
  readonly maxLatencyMs: number;
  /** The same before the first emission: the user is waiting for the first words. */
  readonly firstLatencyMs: number;
};

/** A text that grows, with its emitted and its unsent part. */
export type GrowingText = {
  isEmpty(): boolean;
  hasUnsent(): boolean;
  /** The length of the whole text, emitted or not. */
  length(): number;
  /** The whole text, emitted or not. */
  current(): string;
  /** Adds a piece; `true` when the text should be emitted now. */
  append(piece: string, at: number): boolean;
  /** Replaces the whole text. */
  replace(text: string, at: number): void;
  /** When unsent text is due; Infinity if there is none. */
  dueAt(): number;
  /** Marks the whole text as emitted and returns it, with `appended` unless emitted text was replaced. */
  emit(): { readonly content: string; readonly appended: AppendedText | undefined };
};

/**
 * Pieces are collected in a list and joined once per emission. The emitted text grows by concatenation only, which the
 * engine keeps as a rope. Slicing or searching it would flatten the rope each time and make a long answer quadratic, so
 * only `replace` does that, whose caller passes a text of that length anyway.
 */
export function createGrowingText(pacing: Pacing): GrowingText {
  const counter = createTokenCounter();
  const gate = createBatchGate(pacing.batchGradient);
  let emitted = '';
  let unsent: string[] = [];
  let unsentLength = 0;
  /** Set by `replace`. Kept whole: a slice would keep its parent string in memory. */
  let replacement: string | undefined;
  let replacesEmitted = false;
  let oldestAt = 0;
  let newestAt = 0;
  let isFirst = true;

  const isWaiting = () => unsent.length > 0 || replacesEmitted;
  const latencyMs = () => (isFirst ? pacing.firstLatencyMs : pacing.maxLatencyMs);
  const noteArrival = (at: number) => {
    // After the clock was set back, text must not wait until the clock has caught up.
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
