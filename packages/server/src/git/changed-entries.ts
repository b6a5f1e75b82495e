import type { ChangeKind } from '@liminal/contracts';
import { pathText } from './path-text.ts';

/** One line of `--raw`, with the counts of `--numstat` if requested. */
export type ChangedEntry = {
  readonly path: string;
  readonly oldPath?: string;
  readonly change: ChangeKind;
  readonly oldMode: string;
  readonly newMode: string;
  /** Null if that side doesn't exist. */
  readonly oldId: string | null;
  readonly newId: string | null;
  additions?: number;
  deletions?: number;
  binary: boolean;
};

export const isSubmodule = (mode: string): boolean => mode === '160000';
export const isLink = (mode: string): boolean => mode === '120000';
const noId = /^0+$/;

/** Reads `git diff-… -z --raw [--numstat]` field by field. */
export function createEntryReader(mostCounted: number) {
  const entries: ChangedEntry[] = [];
  const byPath = new Map<string, ChangedEntry>();
  /** The fields of the record being read. */
  let head: string | null = null;
  let names: string[] = [];

  const addEntry = (raw: string, [first = '', second]: readonly string[]): void => {
    const [oldMode = '', newMode = '', oldId = '', newId = '', status = ''] = raw.slice(1).split(' ');
    const path = second ?? first;
    const entry: ChangedEntry = {
      path,
      ...(status.startsWith('R') && { oldPath: first }),
      change: kindOf(status),
      oldMode,
      newMode,
      oldId: noId.test(oldId) ? null : oldId,
      newId: noId.test(newId) ? null : newId,
      binary: false,
    };
    entries.push(entry);
    byPath.set(path, entry);
  };
  const addCounts = (counts: string, path: string): void => {
    const entry = byPath.get(path);
    const [added = '', removed = ''] = counts.split('\t');
    if (!entry) return;
    if (added === '-') entry.binary = true;
    else Object.assign(entry, { additions: Number(added), deletions: Number(removed) });
  };

  return {
    entries,
    /** Returns false to stop reading when the list is too long to count lines. */
    push(field: Buffer): boolean {
      if (head === null) {
        const isRaw = field[0] === 0x3a;
        if (!isRaw && entries.length > mostCounted) return false;
        if (isRaw) head = field.toString('latin1');
        else {
          // Counts, a tab and the path. For a rename the path is empty, and the two paths follow.
          const path = field.subarray(field.indexOf(9, field.indexOf(9) + 1) + 1);
          if (path.length > 0) addCounts(field.toString('latin1'), pathText(path));
          else head = field.toString('latin1');
        }
        return true;
      }
      names.push(pathText(field));
      const isRaw = head.startsWith(':');
      const wanted = isRaw ? (/ [RC]\d*$/.test(head) ? 2 : 1) : 2;
      if (names.length < wanted) return true;
      if (isRaw) addEntry(head, names);
      else addCounts(head, names[1] ?? '');
      head = null;
      names = [];
      return true;
    },
  };
}

function kindOf(status: string): ChangeKind {
  switch (status[0]) {
    case 'A':
    case 'C':
      return 'added';
    case 'D':
      return 'deleted';
    case 'R':
      return 'renamed';
    case 'T':
      return 'type';
    case 'U':
      return 'conflicted';
    case 'M':
    case 'X':
    case undefined:
    default:
      return 'modified';
  }
}
