import type { ReactNode } from 'react';
import { markShapes } from './mark-shapes.ts';

/** The product's mark: a person's window and an agent's; where they overlap is the accent. */
export function BrandMark({ size = 20 }: { readonly size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="none">
      <rect {...markShapes.overlap} fill="var(--accent)" />
      <rect {...markShapes.front} stroke="currentColor" strokeWidth="2.2" />
      <rect {...markShapes.back} stroke="currentColor" strokeWidth="2.2" />
    </svg>
  );
}
