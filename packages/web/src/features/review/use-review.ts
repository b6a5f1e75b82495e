import { createContext, use } from 'react';
import type { ReviewState } from '../../state/review/review-state.ts';
import type { ReviewStore } from '../../state/review/review-store.ts';
import { useCell } from '../../state/workbench/use-workbench.ts';

export const ReviewContext = createContext<ReviewStore | null>(null);

/** The review that contains the component. */
export function useReviewStore(): ReviewStore {
  const store = use(ReviewContext);
  if (store === null) throw new Error('No review above this component');
  return store;
}

export const useReviewState = (): ReviewState => useCell(useReviewStore().state);
