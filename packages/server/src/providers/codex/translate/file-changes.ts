import type { FileDiff, TurnPatch } from '@liminal/contracts';
import { asRecord, asRecords, asText, inTable, type Loose } from '../../kit/read-json.ts';

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
const noNewline = '\\ No newline at end of file';

/** What a Codex patch does to each file. New and deleted files come in full, edits as hunks. */
export function diffsOfChanges(changes: unknown): readonly FileDiff[] {
  return asRecords(changes).flatMap(diffsOfChange);
}

function diffsOfChange(change: Loose): readonly FileDiff[] {
  const path = asText(change['path']);
  const diff = asText(change['diff']);
  if (path === undefined || path === '' || diff === undefined) return [];
  const kind = asRecord(change['kind']);
  switch (kind['type']) {
    case 'add':
      return [{ path, oldText: null, newText: diff }];
    case 'delete':
      return [{ path, oldText: diff, newText: '' }];
    default:
      return excerptsOfPatch(asText(kind['move_path']) ?? path, diff);
  }
}

type Side = 'old' | 'new';
type Excerpt = {
  readonly oldStart: number;
  readonly newStart: number;
  readonly old: string[];
  readonly new: string[];
  /** The sides of the last line: a remark about its end applies to those. */
  last: readonly Side[];
};

function excerptsOfPatch(path: string, diff: string): readonly FileDiff[] {
  const excerpts: Excerpt[] = [];
  for (const line of diff.split('\n')) {
    const [head, oldStart, newStart] = hunkHead.exec(line) ?? [];
    const open = excerpts.at(-1);
    if (head !== undefined) {
      excerpts.push({
        oldStart: lineNumber(oldStart),
        newStart: lineNumber(newStart),
        old: [],
        new: [],
        last: [],
      });
    } else if (open === undefined) continue;
    else if (line === noNewline) withoutNewline(open);
    else addLine(open, line);
  }
  return excerpts.map((excerpt) => ({
    path,
    oldText: excerpt.old.join(''),
    newText: excerpt.new.join(''),
    oldStart: excerpt.oldStart,
    newStart: excerpt.newStart,
  }));
}

/** An empty side starts at 0. */
const lineNumber = (digits: string | undefined): number => Math.min(Math.max(1, Number(digits)), 1e9);

const sides: Readonly<Record<string, readonly Side[]>> = { ' ': ['old', 'new'], '-': ['old'], '+': ['new'] };

function addLine(excerpt: Excerpt, line: string): void {
  excerpt.last = inTable(sides, line.slice(0, 1)) ?? [];
  for (const side of excerpt.last) excerpt[side].push(`${line.slice(1)}\n`);
}

function withoutNewline(excerpt: Excerpt): void {
  for (const side of excerpt.last) {
    const last = excerpt[side].pop();
    if (last !== undefined) excerpt[side].push(last.replace(/\n$/, ''));
  }
}

type ChangedFile = TurnPatch['files'][number];

/** The files of a patch, with the number of lines each gains and loses. */
export function filesOfPatch(patch: string): readonly ChangedFile[] {
  const files: { path: string; additions: number; deletions: number }[] = [];
  let isInHunk = false;
  for (const line of patch.split('\n')) {
    const [, path] = /^diff --git a\/.* b\/(.*)$/.exec(line) ?? [];
    const file = files.at(-1);
    if (path !== undefined) {
      files.push({ path, additions: 0, deletions: 0 });
      isInHunk = false;
    } else if (line.startsWith('@@')) isInHunk = true;
    else if (file && isInHunk && line.startsWith('+')) file.additions += 1;
    else if (file && isInHunk && line.startsWith('-')) file.deletions += 1;
  }
  return files;
}
