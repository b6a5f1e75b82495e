import type { Project, SessionSummary } from '@liminal/contracts';

/** The branch a session works on; empty if unknown. In the project's own folder, it is the project's branch. */
export function branchOf({ place }: SessionSummary, project: Project | undefined): string {
  const ofFolder = place?.kind === 'worktree' ? undefined : project?.branch;
  return ofFolder ?? place?.branch ?? '';
}
