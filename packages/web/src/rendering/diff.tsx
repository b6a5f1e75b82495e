import { useMemo, useState, type ReactNode } from 'react';
import type { FileDiff } from '@liminal/contracts';
import { fileHunks, groupByFile } from '@liminal/domain/diff/file-hunks';
import type { DiffHunk, DiffLine } from '@liminal/domain/diff/line-diff';
import { Button } from '../ui/button.tsx';
import { plural } from '../ui/format.ts';
import { shortPath } from './short-path.ts';
import { LongText } from './long-text.tsx';
import { showHidden } from '@liminal/domain/text/visible-text';
import './diff.css';

const marks: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−' };
/** Drawing more lines than this at once would hold the page; the rest is one click away. */
const firstLines = 600;

type DiffsProps = {
  /** What one step changed, of any number of files. */
  readonly diffs: readonly FileDiff[];
  /** Paths inside it are shown by their short name. */
  readonly projectDir: string;
  readonly limit?: number;
};

/** The changes of one step, file by file. */
export function Diffs({ diffs, projectDir, limit = firstLines }: DiffsProps): ReactNode {
  const files = useMemo(() => groupByFile(diffs), [diffs]);
  return files.map((excerpts, index) => (
    <FileDiffs key={index} diffs={excerpts} projectDir={projectDir} limit={limit} />
  ));
}

/** One file's change: what was, what is, with line numbers. File names and lines are plain text, whatever they hold. */
function FileDiffs({ diffs, projectDir, limit }: Required<DiffsProps>): ReactNode {
  const change = useMemo(() => fileHunks(diffs), [diffs]);
  const [all, setAll] = useState(false);
  const { hunks, hidden } = cut(change.hunks, all ? Infinity : limit);
  const path = diffs[0]?.path ?? '';
  const note = noteOn(diffs);
  return (
    <figure className={change.hasNumbers ? 'diff' : 'diff diff-unplaced'}>
      <figcaption className="diff-head">
        <span className="diff-path" title={showHidden(path)}>
          {showHidden(shortPath(path, projectDir))}
        </span>
        {note !== '' && <span className="muted">{note}</span>}
        <span className="diff-added">+{change.added}</span>
        <span className="diff-removed">−{change.removed}</span>
      </figcaption>
      <div className="diff-lines" tabIndex={0} role="group" aria-label={`Changes in ${showHidden(path)}`}>
        {change.hunks.length === 0 && <p className="diff-skip">{unchanged(diffs)}</p>}
        {hunks.map((hunk, index) => (
          <div key={index}>
            {hunk.skippedBefore > 0 && <p className="diff-skip">{plural(hunk.skippedBefore, 'unchanged line')}</p>}
            {hunk.lines.map((line, place) => (
              <div key={place} className={`diff-line diff-${line.kind}`}>
                {change.hasNumbers && <span className="diff-number">{line.newLine ?? line.oldLine}</span>}
                <span className="diff-mark">{marks[line.kind]}</span>
                <span className="diff-text">
                  <LongText text={line.text === '' ? ' ' : showHidden(line.text)} />
                </span>
              </div>
            ))}
          </div>
        ))}
        {hidden > 0 && (
          <Button look="quiet" onClick={() => setAll(true)}>
            {`Show ${plural(hidden, 'more line')}`}
          </Button>
        )}
      </div>
    </figure>
  );
}

function noteOn([diff]: readonly FileDiff[]): string {
  if (diff?.overwrites === true) return "replaces a file that can't be shown";
  if (diff?.oldText === null) return 'new file';
  return diff?.everywhere === true ? 'every occurrence' : '';
}

const unchanged = (diffs: readonly FileDiff[]): string =>
  diffs.every(({ oldText, newText }) => (oldText ?? '') === newText)
    ? 'No change'
    : 'Only the newline at the end of the file changes';

/** The first hunks, up to so many lines in all, and how many lines are left over. */
function cut(hunks: readonly DiffHunk[], limit: number): { hunks: readonly DiffHunk[]; hidden: number } {
  const kept: DiffHunk[] = [];
  let count = 0;
  for (const hunk of hunks) {
    if (count < limit) kept.push({ ...hunk, lines: hunk.lines.slice(0, limit - count) });
    count += hunk.lines.length;
  }
  return { hunks: kept, hidden: Math.max(0, count - limit) };
}
