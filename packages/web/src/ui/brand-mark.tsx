import type { ReactNode } from 'react';

/** The logo: a user's window and an agent's; their overlap is the accent. */
export function BrandMark({ size = 20 }: { readonly size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false" fill="none">
      <rect {...markShapes.overlap} fill="var(--accent)" />
      <rect {...markShapes.front} stroke="currentColor" strokeWidth="2.2" />
      <rect {...markShapes.back} stroke="currentColor" strokeWidth="2.2" />
    </svg>
  );
}

/** The parts of the logo, in a box of 24, shared by the page and the favicon. */
export const markShapes = {
  front: { x: 3, y: 2.5, width: 12, height: 14, rx: 3 },
  back: { x: 9, y: 7.5, width: 12, height: 14, rx: 3 },
  overlap: { x: 9, y: 7.5, width: 6, height: 9, rx: 1 },
} as const;
