import type { ChangedFile, ChangedFileReply, FileDiff, UpsertObject } from '@liminal/contracts';
import { fileHunks, groupByFile } from '../diff/file-hunks.ts';
import type { DiffHunk } from '../diff/line-diff.ts';
import { parseHunks } from './parse-hunks.ts';

/** The changes that the agent's edit calls reported, by path relative to the folder, the last touched file last. */
export type CallChanges = ReadonlyMap<string, readonly FileDiff[]>;

/** A call that failed or still runs has changed nothing. */
export function changesOfCalls(items: Iterable<UpsertObject>, folder: string): CallChanges {
  const changes = new Map<string, FileDiff[]>();
  for (const item of items) {
    if (item.type !== 'tool_call' || item.status !== 'complete' || item.toolOutputIsError === true) continue;
    for (const diff of item.diffs ?? []) {
      const path = relativePath(folder, diff.path);
      const before = changes.get(path) ?? [];
      // Moves the path to the end, so the order is that of the last changes.
      changes.delete(path);
      changes.set(path, [...before, diff]);
    }
  }
  return changes;
}

/** Every path in edit calls, including running ones. */
export function pathsOfCalls(items: Iterable<UpsertObject>, folder: string): Set<string> {
  const paths = new Set<string>();
  for (const item of items) {
    if (item.type !== 'tool_call' || !changesFiles(item.toolKind)) continue;
    for (const { path } of [...(item.diffs ?? []), ...(item.locations ?? [])]) paths.add(relativePath(folder, path));
  }
  return paths;
}

const changesFiles = (kind: string | undefined): boolean => kind === 'edit' || kind === 'delete' || kind === 'move';

const relativePath = (folder: string, path: string): string => {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : path.replace(/^\.\//, '');
};

/** The list, with the last touched file first. */
export function filesOfCalls(changes: CallChanges): ChangedFile[] {
  return [...changes].reverse().map(([path, diffs]) => {
    const groups = groupByFile(diffs).map(fileHunks);
    const [first] = diffs;
    return {
      path,
      change: first?.oldText === null && first.overwrites !== true ? 'added' : 'modified',
      additions: groups.reduce((sum, { added }) => sum + added, 0),
      deletions: groups.reduce((sum, { removed }) => sum + removed, 0),
      binary: false,
      size: 0,
      bySession: true,
      staged: 'no',
      oldId: null,
      newId: null,
    };
  });
}

/** A file's edits in sequence, as a readable patch; pieces of unknown position are numbered from 1. */
export function patchOfCalls(path: string, diffs: readonly FileDiff[]): ChangedFileReply {
  const body = groupByFile(diffs)
    .flatMap((group) => fileHunks(group).hunks)
    .map(hunkText)
    .join('');
  const from = diffs[0]?.oldText === null ? '/dev/null' : `a/${path}`;
  const patch = `diff --git a/${path} b/${path}\n--- ${from}\n+++ b/${path}\n${body}`;
  return { path, oldId: null, newId: null, patch, hunks: parseHunks(body), binary: false, tooLarge: false };
}

const signs = { same: ' ', added: '+', removed: '-' } as const;

function hunkText({ lines }: DiffHunk): string {
  const oldLines = lines.filter(({ kind }) => kind !== 'added');
  const newLines = lines.filter(({ kind }) => kind !== 'removed');
  const oldStart = oldLines.length === 0 ? 0 : (oldLines[0]?.oldLine ?? 1);
  const newStart = newLines.length === 0 ? 0 : (newLines[0]?.newLine ?? 1);
  const head = `@@ -${oldStart},${oldLines.length} +${newStart},${newLines.length} @@\n`;
  return head + lines.map(({ kind, text }) => `${signs[kind]}${text}\n`).join('');
}
