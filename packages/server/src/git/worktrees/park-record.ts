import { z } from 'zod';

/**
 * The state of a parked worktree, besides the bytes of its files. All of it is in one commit: `meta.json`, `index` (the
 * original index file), `w/N` (the bytes of file N) and `i/N` (contents that only the index has). Paths are in
 * `pathText` form.
 */
export const ParkRecord = z.object({
  version: z.literal(1),
  head: z.string(),
  branch: z.string().nullable(),
  /** `N` of `w/N` is the position in this list. */
  files: z.array(z.object({ path: z.string(), mode: z.int(), id: z.string() })),
  /** In the commit, but not in the folder. */
  deleted: z.array(z.string()),
  /** Files with the commit's content but other permission bits. */
  modes: z.array(z.object({ path: z.string(), mode: z.int() })),
  /** For an unfinished merge, the files in the git directory that describe it. */
  state: z.array(z.object({ name: z.string(), text: z.string() })),
  /** The hash algorithm, to check contents without git. */
  hash: z.enum(['sha1', 'sha256']),
});
export type ParkRecord = z.infer<typeof ParkRecord>;

/** Files of a git directory that belong to an unfinished operation and can be restored unchanged. */
export const stateFiles = [
  'MERGE_HEAD',
  'MERGE_MSG',
  'MERGE_MODE',
  'MERGE_AUTOSTASH',
  'MERGE_RR',
  'AUTO_MERGE',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'SQUASH_MSG',
] as const;
/** The ones that name commits. */
export const stateCommits = new Set<string>(['MERGE_HEAD', 'MERGE_AUTOSTASH', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']);

/** What can't be restored, because it consists of more than such files. */
export const unkeptState = [
  { name: 'sequencer', what: 'A cherry-pick or revert of several commits is in progress. Finish or abort it first.' },
  { name: 'BISECT_LOG', what: 'A bisect is in progress. End it with `git bisect reset` first.' },
] as const;

export const parkRef = (worktreeId: string): string => `refs/liminal/park/${worktreeId}`;
