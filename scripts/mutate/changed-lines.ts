export type ChangedLines = ReadonlyMap<string, ReadonlySet<number>>;

/** The new lines of each file in a `git diff --unified=0 --no-prefix`, by their numbers in the new file. */
export function changedLines(diff: string): ChangedLines {
  const files = new Map<string, Set<number>>();
  let lines: Set<number> | undefined;
  for (const line of diff.split('\n')) {
    const file = /^\+\+\+ (.+)$/.exec(line)?.[1];
    if (file !== undefined) {
      lines = new Set();
      if (file !== '/dev/null') files.set(file, lines);
    }
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    const count = Number(hunk?.[2] ?? 1);
    for (let each = 0; hunk && each < count; each += 1) lines?.add(Number(hunk[1]) + each);
  }
  return files;
}

/** Whether a file is source code that unit tests should cover. */
export const isMutable = (file: string): boolean =>
  /^(packages\/[^/]+\/src|scripts)\/.+\.tsx?$/.test(file) &&
  !/\.(test|contract|bench)\.tsx?$|\/testing\/|vitest\.config/.test(file);
