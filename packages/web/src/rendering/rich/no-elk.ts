/**
 * Replaces the ELK layout that the diagram library includes: 1.5 MB for one more way to arrange a diagram. See
 * vite.config.ts.
 */
export const render = (): never => {
  throw new Error('This layout is not available.');
};
