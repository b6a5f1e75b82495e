/** Whether a path is that of a file or folder, or below it. */
export const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The new path of a file if `from`, the file itself or a folder above it, moves to `to`; null if it stays. */
export const movedPath = (path: string, from: string, to: string): string | null =>
  isWithin(path, from) ? to + path.slice(from.length) : null;
