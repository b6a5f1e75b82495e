import { z } from 'zod';

/**
 * What a parked worktree was, beside the bytes of its files. Everything is in one commit: `meta.json`, `index` (the
 * index file as it was), `w/N` (the bytes of file N) and `i/N` (contents that only the index has). Paths are as
 * `pathText` writes them.
 */
export const ParkRecord = z.object({
  version: z.literal(1),
  head: z.string(),
  branch: z.string().nullable(),
  /** `N` of `w/N` is the place in this list. */
  files: z.array(z.object({ path: z.string(), mode: z.int(), id: z.string() })),
  /** In the commit, but not in the folder. */
  deleted: z.array(z.string()),
  /** Files that are as the commit has them, but with other permission bits. */
  modes: z.array(z.object({ path: z.string(), mode: z.int() })),
  /** Of an unfinished merge: the files in the git directory that say so. */
  state: z.array(z.object({ name: z.string(), text: z.string() })),
  /** The kind of hash, to check contents without git. */
  hash: z.enum(['sha1', 'sha256']),
});
export type ParkRecord = z.infer<typeof ParkRecord>;

/** Files of a git directory that belong to an operation which is not finished, and can be put back as they are. */
export const stateFiles = [
  'MERGE_HEAD',
  'MERGE_MSG',
  'MERGE_MODE',
  'MERGE_RR',
  'AUTO_MERGE',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'SQUASH_MSG',
] as const;
/** Of these, the ones that name commits. */
export const stateCommits = new Set<string>(['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']);

export const parkRef = (worktreeId: string): string => `refs/liminal/park/${worktreeId}`;
