import type { WorktreeProgress } from '@liminal/contracts';

const stepNames: Record<WorktreeProgress['step'], string> = {
  files: 'Writing files',
  copy: 'Copying ignored files',
  setup: 'Running the setup command',
  park: 'Saving its work',
  restore: 'Restoring its files',
  remove: 'Removing its folder',
};

/** What is being done to a worktree, and its progress. */
export function describeProgress({ step, done, total }: WorktreeProgress): string {
  const name = `${stepNames[step]}…`;
  if (done === undefined || total === undefined || total === 0) return name;
  return `${name} ${Math.floor((done * 100) / total)}%`;
}
