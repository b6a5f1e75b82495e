import type { PatchHunk } from '@liminal/contracts';

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The positions of a patch's hunks. Lines in a hunk start with a sign, so none can look like a header. */
export function parseHunks(patch: string): PatchHunk[] {
  const hunks: PatchHunk[] = [];
  for (let start = 0; start < patch.length;) {
    const end = patch.indexOf('\n', start);
    const stop = end < 0 ? patch.length : end;
    if (patch.startsWith('@@ ', start)) {
      const found = header.exec(patch.slice(start, stop));
      if (found) {
        const [oldStart = 0, oldLines = 1, newStart = 0, newLines = 1] = found
          .slice(1)
          .map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
        hunks.push({ hunk: hunks.length, oldStart, oldLines, newStart, newLines });
      }
    }
    start = stop + 1;
  }
  return hunks;
}
