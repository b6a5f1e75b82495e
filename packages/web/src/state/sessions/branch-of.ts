import type { Project, SessionSummary } from '@liminal/contracts';

/** The branch a session works on; empty where nobody knows. In its project's own folder, that is the project's. */
export function branchOf({ place }: SessionSummary, project: Project | undefined): string {
  const ofFolder = place?.kind === 'worktree' ? undefined : project?.branch;
  return ofFolder ?? place?.branch ?? '';
}
