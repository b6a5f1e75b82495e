import type { ReviewComment } from '@liminal/contracts';
import { relocateLines } from '@liminal/domain/review/relocate-lines';
import type { FileAtPath } from '@liminal/domain/diff/place-diffs';
import type { SessionPlaces } from '../../projects/session-places.ts';
import type { CommentRow } from '../../store/review-rows.ts';
import type { Store } from '../../store/store.ts';
import { readChangedFile } from '../shell/read-changed-file.ts';
import type { SessionShell } from '../shell/session-shell.ts';

export type CommentListDeps = { readonly store: Store; readonly places: SessionPlaces };

/** All comments of a session, at the lines where their quotes are now. */
export async function listComments({ store, places }: CommentListDeps, shell: SessionShell): Promise<ReviewComment[]> {
  const rows = store.comments(shell.sessionId);
  if (rows.length === 0) return [];
  const project = places.project(shell.row());
  const folder = project.ok ? project.value.dir : undefined;
  const files = new Map<string, Promise<FileAtPath>>();
  const read = (path: string): Promise<FileAtPath> => {
    const known = files.get(path) ?? readChangedFile(folder, path);
    files.set(path, known);
    return known;
  };
  return Promise.all(rows.map(async (row) => (followsFile(row) ? placed(row, await read(row.path)) : commentOf(row))));
}

/** Lines of the old side or the index don't move with the file. */
const followsFile = ({ side, scope, state }: CommentRow): boolean =>
  side === 'new' && scope !== 'staged' && state !== 'resolved';

function placed(row: CommentRow, file: FileAtPath): ReviewComment {
  if (file === 'unreadable') return commentOf(row);
  const range = file === 'missing' ? null : relocateLines(row, row.quote, file.text, row.content);
  return { ...commentOf(row), ...range, outdated: range === null };
}

export function commentOf({ sessionId: _sessionId, content: _content, ...comment }: CommentRow): ReviewComment {
  return comment;
}
