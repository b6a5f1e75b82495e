/** Replaces `tailwind-merge`, which the markdown library includes: our styles are plain files. */
export const twMerge = (...classes: unknown[]): string => classes.flat().filter(Boolean).join(' ');
