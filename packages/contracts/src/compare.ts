import { z } from 'zod';
import { ChangeKind } from './review/changes.ts';
import { CliType, Image } from './provider.ts';
import { Usage } from './session/turn-event.ts';
import { IsoTime } from './session/upsert.ts';

/**
 * `starting`: its worktree is being created or its agent is starting. `failed`: it didn't start, or its turn failed;
 * `error` says why. `waiting`: it asks the user something. `parked`: another candidate was kept.
 */
export const CandidateState = z.enum(['starting', 'working', 'waiting', 'done', 'stopped', 'failed', 'parked']);
export type CandidateState = z.infer<typeof CandidateState>;

/** The project's check command in one candidate; `exitCode` is null while it runs and if a signal ended it. */
export const CheckResult = z.object({
  command: z.string(),
  state: z.enum(['running', 'passed', 'failed']),
  exitCode: z.int().nullable(),
  output: z.string(),
});
export type CheckResult = z.infer<typeof CheckResult>;

/** A candidate's changes, relative to the commit they all started from. */
export const CandidateChanges = z.object({
  files: z.int().nonnegative(),
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
});
export type CandidateChanges = z.infer<typeof CandidateChanges>;

export const Candidate = z.object({
  candidateId: z.string().min(1),
  cliType: CliType,
  modelId: z.string().optional(),
  state: CandidateState,
  sessionId: z.string().optional(),
  worktreeId: z.string().optional(),
  branch: z.string().optional(),
  error: z.string().optional(),
  /** The user can start it again. */
  canRetry: z.boolean(),
  changes: CandidateChanges.optional(),
  durationMs: z.number().nonnegative().optional(),
  usage: Usage.optional(),
  costUsd: z.number().nonnegative().optional(),
  check: CheckResult.optional(),
});
export type Candidate = z.infer<typeof Candidate>;

/** A file that at least one candidate changed, with each candidate's version of it. */
export const ComparedFile = z.object({
  path: z.string(),
  candidates: z.array(
    z.object({
      candidateId: z.string(),
      change: ChangeKind,
      additions: z.int().nonnegative().optional(),
      deletions: z.int().nonnegative().optional(),
      /** Equal contents have equal ids. */
      contentId: z.string().nullable(),
    }),
  ),
});
export type ComparedFile = z.infer<typeof ComparedFile>;

export const MergeHow = z.enum(['merge', 'squash', 'rebase']);

/** The candidate that was kept. This can be undone until `parked`. */
export const KeptCandidate = z.object({
  candidateId: z.string(),
  at: IsoTime,
  /** The other candidates are parked, and their folders are gone. */
  parked: z.boolean(),
  /** The commit its base points to after the merge. */
  commit: z.string().optional(),
  /** Why the others couldn't be parked. */
  error: z.string().optional(),
});
export type KeptCandidate = z.infer<typeof KeptCandidate>;

const started = {
  compareId: z.string().min(1),
  projectId: z.string().min(1),
  content: z.string(),
  /** The branch all candidates started from, and the commit it pointed to then. */
  base: z.string(),
  baseCommit: z.string(),
  createdAt: IsoTime,
  candidates: z.array(Candidate),
  kept: KeptCandidate.optional(),
};
export const ComparisonSummary = z.object(started);
export type ComparisonSummary = z.infer<typeof ComparisonSummary>;
export const Comparison = z.object({ ...started, files: z.array(ComparedFile) });
export type Comparison = z.infer<typeof Comparison>;

export const mostCandidates = 5;

export const CreateCompareBody = z.object({
  projectId: z.string().min(1),
  content: z.string().trim().min(1).max(1_000_000),
  images: z.array(Image).max(20).optional(),
  mentions: z.array(z.string().min(1).max(4096)).max(200).optional(),
  candidates: z
    .array(z.object({ cliType: z.string().min(1), modelId: z.string().min(1).optional() }))
    .min(2)
    .max(mostCandidates),
  /** The branch to start from; the current branch of the folder by default. */
  base: z.string().trim().min(1).max(200).optional(),
  /** The user knows that the base's agent settings differ from those of the trusted folder, and wants to continue. */
  trustConfiguration: z.boolean().optional(),
});
export type CreateCompareBody = z.infer<typeof CreateCompareBody>;

export const ListComparesQuery = z.object({ projectId: z.string().min(1).optional() });
export type ListComparesQuery = z.infer<typeof ListComparesQuery>;
export const ComparesReply = z.object({ compares: z.array(ComparisonSummary) });
export type ComparesReply = z.infer<typeof ComparesReply>;

export const CandidateBody = z.object({ candidateId: z.string().min(1) });
export type CandidateBody = z.infer<typeof CandidateBody>;
export const KeepBody = CandidateBody.extend({
  /** Commits any uncommitted changes and merges into the base. */
  merge: MergeHow.optional(),
});
export type KeepBody = z.infer<typeof KeepBody>;

/** Sent on the socket when a comparison changes, to subscribers of worktrees. */
export const CompareChanged = z.object({ type: z.literal('compare:changed'), compareId: z.string() });
export type CompareChanged = z.infer<typeof CompareChanged>;
