/** A typed path in two parts: the folder to list, and the start of a name in it. */
export type TypedPath = { readonly folder: string; readonly prefix: string };

/**
 * `/home/you/pro` lists what starts with `pro` in `/home/you/`; a path that ends with a slash lists everything in it.
 */
export function splitPath(typed: string): TypedPath {
  const cut = Math.max(typed.lastIndexOf('/'), typed.lastIndexOf('\\')) + 1;
  return { folder: typed.slice(0, cut), prefix: typed.slice(cut) };
}

/** A subfolder, ready to continue: it ends with a slash. */
export function joinPath(folder: string, name: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return `${folder.replace(/[\\/]$/, '')}${separator}${name}${separator}`;
}

/** A path as the server expects it: absolute, without `~` and without a trailing slash. */
export function wholePath(typed: string, home: string): string {
  const path = home === '' ? typed : typed.replace(/^~(?=[\\/]|$)/, home);
  return path.length > 1 ? path.replace(/(?<=[^:])[\\/]+$/, '') : path;
}

/** Shortens a path inside the project. */
export function shortPath(path: string, projectDir: string): string {
  const root = projectDir.endsWith('/') ? projectDir : `${projectDir}/`;
  return projectDir !== '' && path.startsWith(root) && path.length > root.length ? path.slice(root.length) : path;
}
