import type { Worktree } from '@liminal/contracts';
import { formatAgo, formatBytes, plural } from '../../../ui/format.ts';

const stateNames: Record<Worktree['state'], string> = {
  creating: 'Creating',
  setup: 'Setting up',
  // The normal state needs no label.
  ready: '',
  failed: 'Failed',
  parked: 'Parked',
  missing: 'Folder is gone',
  foreign: 'Created outside Liminal Builder',
};

/** The one-line description of a worktree in a list. */
export function describeWorktree(worktree: Worktree, title: string | undefined, now: number): string {
  const { state, dirty, ahead, size, error, lastUsed } = worktree;
  const parts = [
    stateNames[state],
    title ?? '',
    dirty ? 'uncommitted changes' : '',
    ahead > 0 ? `${plural(ahead, 'commit')} not merged` : '',
    size !== null && size > 0 ? unbroken(formatBytes(size)) : '',
    state === 'foreign' ? '' : unbroken(formatAgo(lastUsed, now)),
    error ?? '',
  ];
  const line = parts.filter((part) => part !== '').join(' · ');
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** Keeps a number and its unit on one line. */
const unbroken = (text: string): string => text.replaceAll(' ', '\u00A0');
