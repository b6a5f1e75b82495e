import { CandidateChanges, CheckResult, CliType, ComparedFile, Image, IsoTime, MergeHow } from '@liminal/contracts';
import { z } from 'zod';

const ownFile = ComparedFile.shape.candidates.element.omit({ candidateId: true }).extend({ path: z.string() });

export const CandidateRow = z.object({
  candidateId: z.string().min(1),
  cliType: CliType,
  modelId: z.string().nullable(),
  /**
   * `starting` is written before anything is created, so a killed server can find what it left by the ids in this row.
   */
  state: z.enum(['starting', 'started', 'failed']),
  worktreeId: z.string().nullable(),
  sessionId: z.string().nullable(),
  error: z.string().nullable(),
  check: CheckResult.nullable(),
  /** The result when it was last read; all that is left once the candidate is parked. */
  result: z.object({ changes: CandidateChanges, files: z.array(ownFile) }).nullable(),
  parked: z.boolean(),
});
export type CandidateRow = Readonly<z.infer<typeof CandidateRow>>;

export const CompareRow = z.object({
  compareId: z.string().min(1),
  projectId: z.string().min(1),
  message: z.object({ content: z.string(), images: z.array(Image), mentions: z.array(z.string()) }),
  base: z.string(),
  baseCommit: z.string(),
  createdAt: IsoTime,
  candidates: z.array(CandidateRow),
  kept: z
    .object({
      candidateId: z.string(),
      at: IsoTime,
      /**
       * `merging`: the base may have moved. `waiting`: it can be undone, and the others will be parked soon. `undoing`:
       * the undo is completed after a crash.
       */
      step: z.enum(['merging', 'waiting', 'parked', 'undoing']),
      /** The base moved from one commit to the other; `to` is null before it moves. */
      merge: z.object({ how: MergeHow, from: z.string(), to: z.string().nullable() }).nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
});
export type CompareRow = Readonly<z.infer<typeof CompareRow>>;

export type CompareWrite = { readonly type: 'put-compare'; readonly row: CompareRow };
