/** The parts of the product's mark, in a box of 24: the page and the favicon draw the same. */
export const markShapes = {
  front: { x: 3, y: 2.5, width: 12, height: 14, rx: 3 },
  back: { x: 9, y: 7.5, width: 12, height: 14, rx: 3 },
  overlap: { x: 9, y: 7.5, width: 6, height: 9, rx: 1 },
} as const;
