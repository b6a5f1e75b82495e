import type { ChangedFile, ChangeKind } from '@liminal/contracts';

const words: Record<ChangeKind, string> = {
  added: 'new file',
  modified: '',
  deleted: 'deleted',
  renamed: 'renamed',
  conflicted: 'conflict',
  type: 'type changed',
};
const letters: Record<ChangeKind, string> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  conflicted: '!',
  type: 'T',
};
const names: Record<ChangeKind, string> = {
  added: 'Added',
  modified: 'Modified',
  deleted: 'Deleted',
  renamed: 'Renamed',
  conflicted: 'In conflict',
  type: 'Type changed',
};

/** What happened to a file; empty if its lines show it. */
export const changeWords = ({ change }: ChangedFile): string => words[change];
/** One letter for a list, as in git. */
export const changeLetter = ({ change }: ChangedFile): string => letters[change];
export const changeName = ({ change }: ChangedFile): string => names[change];
