import type { ApiFailure } from '@liminal/client/call-routes';
import { createCell, type Cell } from '../base/cell.ts';

/** What did not come about, and why; a new one even where the words are the same. */
export type ShownFailure = { readonly what: string; readonly why: string };

export type FailureStore = Cell<ShownFailure | null> & {
  /** Says a failure of something that was asked for where no answer has a place of its own: a menu, the palette. */
  readonly report: (what: string, failure: ApiFailure) => void;
  readonly dismiss: () => void;
};

/** The last failure that has nowhere else to be shown; it stays until it is read, or something succeeds. */
export function createFailureStore(): FailureStore {
  const cell = createCell<ShownFailure | null>(null);
  return {
    ...cell,
    report: (what, failure) => cell.set({ what, why: failure.message }),
    dismiss: () => cell.set(null),
  };
}
