import type { ChangedFile, ChangesReply, DiscardBody, HunkChoice } from '@liminal/contracts';
import type { ReviewQuery, ReviewState } from '../../state/review/review-state.ts';

/** The available actions on a file or a hunk in the current scope. */
export type Possible = { readonly canStage: boolean; readonly canUnstage: boolean; readonly canDiscard: boolean };

const none: Possible = { canStage: false, canUnstage: false, canDiscard: false };

/** Staging needs git, not just reported edits. A conflict can be staged once it is resolved. */
export function actionsOnFile({ scope }: ReviewQuery, reply: ChangesReply, file: ChangedFile): Possible {
  if (reply.source !== 'git') return none;
  switch (scope) {
    case 'staged':
      return { canStage: false, canUnstage: true, canDiscard: false };
    case 'unstaged':
      return { canStage: true, canUnstage: false, canDiscard: file.change !== 'conflicted' };
    case 'uncommitted':
      return {
        canStage: file.staged !== 'yes',
        canUnstage: file.staged !== 'no',
        canDiscard: file.change !== 'conflicted',
      };
    case 'turn':
    case 'session':
    case 'base':
      return { canStage: file.staged !== 'yes', canUnstage: file.staged !== 'no', canDiscard: false };
  }
}

/**
 * A hunk is identified by the contents on both sides, so these must be the index and the folder, or HEAD and the index.
 */
export function actionsOnHunk(query: ReviewQuery, reply: ChangesReply, file: ChangedFile): Possible {
  const isWhole = file.change === 'added' || file.change === 'deleted' || file.change === 'conflicted' || file.binary;
  if (reply.source !== 'git' || isWhole || file.kind !== undefined || file.oldPath !== undefined) return none;
  const isUnstaged = query.scope === 'unstaged' || (query.scope === 'uncommitted' && file.staged === 'no');
  const isStaged = query.scope === 'staged' || (query.scope === 'uncommitted' && file.staged === 'yes');
  return { canStage: isUnstaged, canUnstage: isStaged, canDiscard: isUnstaged };
}

/** Why no hunk can be chosen while whitespace is ignored: the hunks shown aren't those of the full patch. */
export const showWhitespace = 'Show whitespace to stage or discard single hunks.';

/** A hunk as it is shown; null if it isn't. */
export function hunkChoice(
  path: string,
  { bodies, whitespace }: Pick<ReviewState, 'bodies' | 'whitespace'>,
  hunk: number,
): HunkChoice | null {
  const body = bodies.get(path);
  if (body?.phase !== 'ready' || hunk >= body.reply.hunks.length) return null;
  return { path, oldId: body.reply.oldId, newId: body.reply.newId, hunk, context: 3, whitespace };
}

/** What a discard restores a file to. */
export const discardScope = ({ scope }: ReviewQuery): DiscardBody['scope'] =>
  scope === 'uncommitted' ? 'uncommitted' : 'unstaged';
