/** Stands in for `tailwind-merge`, which the markdown library brings along: our styles are plain files. */
export const twMerge = (...classes: unknown[]): string => classes.flat().filter(Boolean).join(' ');
