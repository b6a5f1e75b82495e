import { useMemo, useState, type ReactNode } from 'react';
import type { FileDiff } from '@liminal/contracts';
import { Button } from '../ui/button.tsx';
import { plural } from '../ui/format.ts';
import { shortPath } from './short-path.ts';
import { LongText } from './long-text.tsx';
import { diffLines, type DiffHunk, type DiffLine } from './line-diff.ts';
import { showHidden } from './visible-text.ts';
import './diff.css';

const marks: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−' };
/** Drawing more lines than this at once would hold the page; the rest is one click away. */
const firstLines = 600;

type DiffProps = {
  readonly diff: FileDiff;
  /** Paths inside it are shown by their short name. */
  readonly projectDir: string;
  readonly limit?: number;
};

/** One file's change: what was, what is, with line numbers. File names and lines are plain text, whatever they hold. */
export function Diff({ diff, projectDir, limit = firstLines }: DiffProps): ReactNode {
  const change = useMemo(() => diffLines(diff.oldText, diff.newText), [diff.oldText, diff.newText]);
  const [all, setAll] = useState(false);
  const { hunks, hidden } = cut(change.hunks, all ? Infinity : limit);
  return (
    <figure className="diff">
      <figcaption className="diff-head">
        <span className="diff-path" title={showHidden(diff.path)}>
          {showHidden(shortPath(diff.path, projectDir))}
        </span>
        {diff.oldText === null && <span className="muted">new file</span>}
        <span className="diff-added">+{change.added}</span>
        <span className="diff-removed">−{change.removed}</span>
      </figcaption>
      <div className="diff-lines" tabIndex={0} role="group" aria-label={`Changes in ${showHidden(diff.path)}`}>
        {change.hunks.length === 0 && <p className="diff-skip">No lines changed</p>}
        {hunks.map((hunk, index) => (
          <div key={index}>
            {hunk.skippedBefore > 0 && <p className="diff-skip">{plural(hunk.skippedBefore, 'unchanged line')}</p>}
            {hunk.lines.map((line, place) => (
              <div key={place} className={`diff-line diff-${line.kind}`}>
                <span className="diff-number">{line.newLine ?? line.oldLine}</span>
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
