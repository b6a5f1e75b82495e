/** Ids, model names and kinds are short words. Anything else could be user text and is not passed on. */
export const plainName = (name: string): string => (/^[\w.:@-][\w.:@/+-]{0,79}$/.test(name) ? name : 'other');
