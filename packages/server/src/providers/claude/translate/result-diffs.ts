import type { FileDiff } from '@liminal/contracts';
import { excerptsOf, isPlaced, placeDiffs } from '@liminal/domain/diff/place-diffs';
import { asCount, asList, asOptionalRecord, asRecord, asText, asTexts, type Loose } from '../../kit/read-json.ts';

/** A larger file isn't compared again: Claude Code's own patch is used. */
const largestOriginal = 2_000_000;

/** What really changed, once the tool has reported: only then are the old content and the place of an edit known. */
export function diffsOfResult(name: string, result: unknown): readonly FileDiff[] | undefined {
  const reported = asOptionalRecord(result);
  const path = asText(reported?.['filePath']);
  if (!reported || !path) return undefined;
  const whole = asText(reported['originalFile']);
  const original = whole !== undefined && whole.length <= largestOriginal ? whole : undefined;
  switch (name) {
    case 'Write': {
      const newText = asText(reported['content']);
      if (newText === undefined) return undefined;
      if (reported['type'] === 'create' || (reported['type'] === undefined && reported['originalFile'] === null))
        return [{ path, oldText: null, newText, oldStart: 1, newStart: 1 }];
      return original === undefined ? patchOf(path, reported) : excerptsOf(path, original, newText);
    }
    case 'Edit':
    case 'MultiEdit': {
      const edits = editsOf(path, reported);
      const placed = original === undefined ? edits : placeDiffs(edits, { text: original }, 'before');
      if (placed.length > 0 && placed.every(isPlaced)) return placed;
      return patchOf(path, reported) ?? (edits.length > 0 ? edits : undefined);
    }
    default:
      return undefined;
  }
}

function editsOf(path: string, reported: Loose): FileDiff[] {
  const one = {
    old_string: reported['oldString'],
    new_string: reported['newString'],
    replace_all: reported['replaceAll'],
  };
  return [...asList(reported['edits']), one].flatMap((entry) => {
    const edit = asOptionalRecord(entry);
    const oldText = asText(edit?.['old_string']);
    const newText = asText(edit?.['new_string']);
    if (oldText === undefined || newText === undefined) return [];
    return [{ path, oldText, newText, ...(edit?.['replace_all'] === true && { everywhere: true }) }];
  });
}

function patchOf(path: string, reported: Loose): FileDiff[] | undefined {
  const excerpts = asList(reported['structuredPatch']).flatMap((hunk) => excerptOf(path, asRecord(hunk)));
  return excerpts.length > 0 ? excerpts : undefined;
}

/** A hunk of a patch: lines with their sign, and where they start. */
function excerptOf(path: string, hunk: Loose): FileDiff[] {
  const oldStart = asCount(hunk['oldStart']);
  const newStart = asCount(hunk['newStart']);
  if (oldStart === undefined || newStart === undefined) return [];
  const side = (sign: string): string =>
    asTexts(hunk['lines'])
      .filter((line) => line.startsWith(sign) || line.startsWith(' '))
      .map((line) => `${line.slice(1)}\n`)
      .join('');
  const starts = { oldStart: Math.max(1, oldStart), newStart: Math.max(1, newStart) };
  return [{ path, oldText: side('-'), newText: side('+'), ...starts }];
}
