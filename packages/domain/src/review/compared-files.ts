import type { CandidateChanges, ChangedFile, ComparedFile } from '@liminal/contracts';

type InCandidate = ComparedFile['candidates'][number];
/** A file of one candidate. */
export type CandidateFile = Omit<InCandidate, 'candidateId'> & { readonly path: string };

/** The part of a candidate's change that is needed to compare it with the others. */
export const candidateFile = ({ path, change, additions, deletions, newId }: ChangedFile): CandidateFile => ({
  path,
  change,
  ...(additions !== undefined && { additions }),
  ...(deletions !== undefined && { deletions }),
  contentId: newId,
});

export const countChanges = (files: readonly CandidateFile[]): CandidateChanges => ({
  files: files.length,
  additions: files.reduce((total, { additions = 0 }) => total + additions, 0),
  deletions: files.reduce((total, { deletions = 0 }) => total + deletions, 0),
});

/** One row for each file that any candidate changed, sorted by path. */
export function comparedFiles(
  candidates: readonly { readonly candidateId: string; readonly files: readonly CandidateFile[] }[],
): ComparedFile[] {
  const rows = new Map<string, InCandidate[]>();
  for (const { candidateId, files } of candidates)
    for (const { path, ...file } of files) {
      const row = rows.get(path) ?? [];
      row.push({ candidateId, ...file });
      rows.set(path, row);
    }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, found]) => ({ path, candidates: found }));
}
