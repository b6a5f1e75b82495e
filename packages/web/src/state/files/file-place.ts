/** A place in a file. */
export type FilePlace = { readonly path: string; readonly line?: number; readonly column?: number };
