import { useMemo, useRef, useState, type ReactNode } from 'react';
import type { FileDiff } from '@liminal/contracts';
import { fileHunks, groupByFile, type FileHunks } from '@liminal/domain/diff/file-hunks';
import type { DiffHunk } from '@liminal/domain/diff/line-diff';
import { interleave } from '@liminal/domain/diff/pair-lines';
import { showHidden } from '@liminal/domain/text/visible-text';
import { Button, IconButton } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { shortPath } from '../../ui/folders/folder-path.ts';
import { DiffLines, type DiffLinesProps } from './diff-lines.tsx';
import { useIsWide } from '../use-near.ts';
import './diff.css';

/** How many lines are shown if a change is one row among others; the rest follows on a click. */
const firstLines = 80;
/** The width that two columns need. */
const splitFrom = 1000;

type DiffsProps = {
  /** The changes of one step, in any number of files. */
  readonly diffs: readonly FileDiff[];
  /** Paths inside it are shortened. */
  readonly projectDir: string;
  readonly limit?: number;
  /** The context already says which file it is. */
  readonly isNamed?: boolean;
  /** There may be space next to the column. */
  readonly canWiden?: boolean;
  /** Actions for the change, in a row below it. */
  readonly links?: ReactNode;
};

/** The changes of one step, file by file. */
export function Diffs({
  diffs,
  projectDir,
  limit = firstLines,
  isNamed = false,
  canWiden = false,
  links = null,
}: DiffsProps): ReactNode {
  const files = useMemo(() => groupByFile(diffs), [diffs]);
  const isAlone = isNamed && files.length === 1;
  return (
    <>
      {files.map((excerpts, index) => (
        <StepDiff
          key={index}
          diffs={excerpts}
          projectDir={projectDir}
          limit={limit}
          isNamed={isAlone}
          canWiden={canWiden}
          links={isAlone ? links : null}
        />
      ))}
      {!isAlone && links !== null && <div className="diff-links">{links}</div>}
    </>
  );
}

function StepDiff({ diffs, projectDir, limit, isNamed, canWiden, links }: Required<DiffsProps>): ReactNode {
  const change = useMemo(() => fileHunks(diffs), [diffs]);
  return (
    <FileDiffView
      change={change}
      path={diffs[0]?.path ?? ''}
      shownPath={isNamed ? null : shortPath(diffs[0]?.path ?? '', projectDir)}
      note={noteOn(diffs)}
      nothing={unchanged(diffs)}
      limit={limit}
      canWiden={canWiden}
      links={links}
    />
  );
}

export type FileDiffViewProps = Pick<DiffLinesProps, 'selected' | 'onSelect' | 'below'> & {
  readonly change: FileHunks;
  readonly path: string;
  /** The file name in the header; without one there is no header. */
  readonly shownPath: string | null;
  readonly note?: string;
  /** The text if no line differs. */
  readonly nothing?: string;
  /** Additional controls in the header. */
  readonly actions?: ReactNode;
  readonly limit?: number;
  readonly canWiden?: boolean;
  readonly links?: ReactNode;
};

/** The change of one file. File names and lines are always plain text. */
function FileDiffView(props: FileDiffViewProps): ReactNode {
  const { change, path, shownPath, note = '', nothing = 'No change', limit = Infinity, links = null } = props;
  const place = useRef<HTMLElement>(null);
  const [all, setAll] = useState(false);
  const [isWidened, setWidened] = useState(false);
  const isSplit = useIsWide(place, splitFrom) && change.added > 0 && change.removed > 0;
  const { hunks, hidden, total } = useMemo(() => cut(change.hunks, all ? Infinity : limit), [change, all, limit]);
  const classes = ['diff', !change.hasNumbers && 'diff-unplaced', isSplit && 'diff-split', isWidened && 'diff-wide'];
  // Two columns help only if both have lines.
  const widen = props.canWiden === true && change.added > 0 && change.removed > 0 && (
    <IconButton
      label={isWidened ? 'Normal width' : 'Full width'}
      className="diff-widen"
      aria-pressed={isWidened}
      onClick={() => setWidened(!isWidened)}
    >
      <Icon name={isWidened ? 'unified' : 'beside'} size={14} />
    </IconButton>
  );
  const figure = (
    <figure ref={place} className={classes.filter(Boolean).join(' ')}>
      {(shownPath !== null || note !== '') && (
        <figcaption className="diff-head">
          {shownPath !== null && (
            <span className="diff-path" title={showHidden(path)}>
              {showHidden(shownPath)}
            </span>
          )}
          {note !== '' && <span className="diff-note">{note}</span>}
          {shownPath !== null && (
            <>
              <span className="diff-counts">
                <span className="diff-added">+{change.added}</span>{' '}
                <span className="diff-removed">−{change.removed}</span>
              </span>
              {widen}
              {props.actions}
            </>
          )}
        </figcaption>
      )}
      <div className="diff-lines" role="group" aria-label={`Changes in ${showHidden(path)}`}>
        {change.hunks.length === 0 && <p className="diff-skip">{nothing}</p>}
        <DiffLines {...props} hunks={hunks} isSplit={isSplit} />
        {hidden > 0 && (
          <Button look="quiet" className="diff-more" onClick={() => setAll(true)}>
            {`Show all ${plural(total, 'line')}`}
          </Button>
        )}
      </div>
    </figure>
  );
  return (
    <>
      {figure}
      {shownPath === null && (links !== null || widen !== false) && (
        <div className="diff-links">
          {links}
          {widen}
        </div>
      )}
    </>
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

/** Hiding only a few lines isn't worth a click. */
const slack = 20;

/** The first lines, up to a total number of lines, and how many are left. */
function cut(all: readonly DiffHunk[], limit: number): { hunks: readonly DiffHunk[]; hidden: number; total: number } {
  const total = all.reduce((sum, { lines }) => sum + lines.length, 0);
  if (total <= limit + slack) return { hunks: all, hidden: 0, total };
  const hunks: DiffHunk[] = [];
  let count = 0;
  for (const hunk of all) {
    if (count < limit) hunks.push({ ...hunk, lines: interleave(hunk.lines).slice(0, limit - count) });
    count += hunk.lines.length;
  }
  return { hunks, hidden: total - limit, total };
}
