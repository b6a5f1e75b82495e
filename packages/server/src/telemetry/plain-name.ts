/** Ids, names of models and kinds are short words. Anything else could be text of a user and is not passed on. */
export const plainName = (name: string): string => (/^[\w.:@-][\w.:@/+-]{0,79}$/.test(name) ? name : 'other');
