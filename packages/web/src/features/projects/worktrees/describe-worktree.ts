import type { Worktree, WorktreeProgress } from '@liminal/contracts';
import { formatAgo, formatBytes, plural } from '../../../ui/format.ts';

const stateNames: Record<Worktree['state'], string> = {
  creating: 'Being made',
  setup: 'Setting up',
  ready: 'Ready',
  failed: 'Failed',
  parked: 'Parked',
  missing: 'Folder is gone',
  foreign: 'Made outside',
};

const stepNames: Record<WorktreeProgress['step'], string> = {
  files: 'Writing files',
  copy: 'Copying ignored files',
  setup: 'Running the setup command',
  park: 'Keeping its work',
  restore: 'Bringing its files back',
  remove: 'Removing its folder',
};

/** What a list says of a worktree, in one line. */
export function describeWorktree(worktree: Worktree, title: string | undefined, now: number): string {
  const { state, dirty, ahead, size, error, lastUsed } = worktree;
  const parts = [
    stateNames[state],
    title ?? '',
    dirty ? 'uncommitted changes' : '',
    ahead > 0 ? `${plural(ahead, 'commit')} not merged` : '',
    size !== null && size > 0 ? formatBytes(size) : '',
    state === 'foreign' ? '' : formatAgo(lastUsed, now),
    error ?? '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** What is being done to a worktree, and how far it is. */
export function describeProgress({ step, done, total }: WorktreeProgress): string {
  const name = `${stepNames[step]}…`;
  if (done === undefined || total === undefined || total === 0) return name;
  return `${name} ${Math.floor((done * 100) / total)}%`;
}
