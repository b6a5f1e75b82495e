/** What was typed, taken apart: the folder to list, and how the name in it begins. */
export type TypedPath = { readonly folder: string; readonly prefix: string };

/** `/home/you/pro` asks for what begins with `pro` in `/home/you/`; a path that ends with a slash lists all in it. */
export function splitPath(typed: string): TypedPath {
  const cut = Math.max(typed.lastIndexOf('/'), typed.lastIndexOf('\\')) + 1;
  return { folder: typed.slice(0, cut), prefix: typed.slice(cut) };
}

/** One folder down, ready to continue: it ends with a slash. */
export function joinPath(folder: string, name: string): string {
  const separator = folder.includes('\\') && !folder.includes('/') ? '\\' : '/';
  return `${folder.replace(/[\\/]$/, '')}${separator}${name}${separator}`;
}

/** A path as the server takes it: whole, without the home sign and without a slash at the end. */
export function wholePath(typed: string, home: string): string {
  const path = home === '' ? typed : typed.replace(/^~(?=[\\/]|$)/, home);
  return path.length > 1 ? path.replace(/(?<=[^:])[\\/]+$/, '') : path;
}

/** A path inside the project by its short name. */
export function shortPath(path: string, projectDir: string): string {
  const root = projectDir.endsWith('/') ? projectDir : `${projectDir}/`;
  return projectDir !== '' && path.startsWith(root) && path.length > root.length ? path.slice(root.length) : path;
}
