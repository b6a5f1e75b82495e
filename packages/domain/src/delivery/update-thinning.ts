import { type BatchGate, createBatchGate, defaultGradient } from '../accumulate/batch-gate.ts';
import { createTokenCounter, type TokenCounter } from '../accumulate/token-count.ts';
import { isEnded } from '../items/item-text.ts';
import type { ChangeBody } from './change.ts';

/** Decides which states of a growing item to send in full (decision 9), with the same steps as the accumulator. */
export type UpdateThinning = {
  /** Whether this state may wait for more text. Only growth waits; ends never do. */
  mayWait(key: string, body: ChangeBody): boolean;
  /** The newest state of this key has been sent. */
  sent(key: string): void;
};

type Growth = { readonly tokens: TokenCounter; readonly gate: BatchGate };

export function createUpdateThinning(gradient: readonly number[] = defaultGradient): UpdateThinning {
  const growing = new Map<string, Growth>();

  const growthOf = (key: string): Growth => {
    const known = growing.get(key);
    if (known) return known;
    const growth = { tokens: createTokenCounter(), gate: createBatchGate(gradient) };
    growing.set(key, growth);
    return growth;
  };

  return {
    mayWait(key, body) {
      // Items of a cancelled turn never end by themselves, so the end of the turn frees their steps.
      if (body.type === 'session:turn' && body.payload.type !== 'turn_started') growing.clear();
      if (body.type !== 'session:upsert') return false;
      if (isEnded(body.payload)) growing.delete(key);
      if (!body.appended || body.payload.status !== 'update') return false;
      const { tokens, gate } = growthOf(key);
      return !gate.add(tokens.add(body.appended.text));
    },
    sent(key) {
      growing.get(key)?.gate.reset();
    },
  };
}
