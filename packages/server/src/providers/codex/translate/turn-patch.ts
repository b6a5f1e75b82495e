import type { TurnPatch } from '@liminal/contracts';

type ChangedFile = TurnPatch['files'][number];

/** The files of a patch, with how many lines each gains and loses. */
export function filesOfPatch(patch: string): readonly ChangedFile[] {
  const files: { path: string; additions: number; deletions: number }[] = [];
  let isInHunk = false;
  for (const line of patch.split('\n')) {
    const [, path] = /^diff --git a\/.* b\/(.*)$/.exec(line) ?? [];
    const file = files.at(-1);
    if (path !== undefined) {
      files.push({ path, additions: 0, deletions: 0 });
      isInHunk = false;
    } else if (line.startsWith('@@')) isInHunk = true;
    else if (file && isInHunk && line.startsWith('+')) file.additions += 1;
    else if (file && isInHunk && line.startsWith('-')) file.deletions += 1;
  }
  return files;
}
