/** A path inside the project by its short name. */
export function shortPath(path: string, projectDir: string): string {
  const root = projectDir.endsWith('/') ? projectDir : `${projectDir}/`;
  return projectDir !== '' && path.startsWith(root) && path.length > root.length ? path.slice(root.length) : path;
}
