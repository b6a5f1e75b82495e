import { Fragment, useMemo, type ReactNode } from 'react';
import type { DiffHunk, DiffLine } from '@liminal/domain/diff/line-diff';
import { interleave, pairLines, type DiffPair } from '@liminal/domain/diff/pair-lines';
import { wordMarks, type Span } from '@liminal/domain/diff/word-marks';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { DiffText } from './diff-text.tsx';
import { hangingSteps } from './hanging-indent.ts';
import { extendRange, isIn, refOf, type LineRange, type LineRef } from './line-ref.ts';
import { usePatchColours } from './patch-colours.ts';
import type { Patch } from './patch.ts';
import { useDiffColours, type ColoursOf } from './use-diff-colours.ts';

const signs: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−' };

export type DiffLinesProps = {
  readonly hunks: readonly DiffHunk[];
  readonly path: string;
  readonly isSplit?: boolean;
  /** Lines the user may select: their numbers become buttons. Shift extends the selection. */
  readonly selected?: LineRange | null;
  readonly onSelect?: (range: LineRange) => void;
  /** Content below a line, such as comments on it. */
  readonly below?: (line: LineRef) => ReactNode;
};

type LineLook = Omit<DiffLinesProps, 'hunks' | 'path' | 'isSplit'> & {
  readonly coloursOf: ColoursOf;
  readonly marksOf: (line: DiffLine) => readonly Span[];
};

const noMarks: readonly Span[] = [];

/** The lines of a change in one column or two, with numbers, signs, colours and word marks. */
export function DiffLines(props: DiffLinesProps): ReactNode {
  const { hunks, path, isSplit = false } = props;
  const coloursOf = useDiffColours(hunks, path);
  const paired = useMemo(() => hunks.map(({ lines }) => pairLines(lines)), [hunks]);
  const marks = useMemo(() => new Map(paired.flat().flatMap(marksOfPair)), [paired]);
  const look: LineLook = { ...props, coloursOf, marksOf: (line) => marks.get(line) ?? noMarks };
  return hunks.map((hunk, index) => (
    <Fragment key={index}>
      {hunk.skippedBefore > 0 && (
        <p className="diff-skip">
          <Icon name="unfold" size={12} />
          {plural(hunk.skippedBefore, 'unchanged line')}
        </p>
      )}
      {isSplit
        ? chunks(paired[index] ?? []).map((rows, place) => (
            <div key={place} className="diff-chunk">
              <PairRows rows={rows} look={look} />
            </div>
          ))
        : chunks(interleave(hunk.lines)).map((lines, place) => (
            <div key={place} className="diff-chunk">
              <LineRows lines={lines} look={look} />
            </div>
          ))}
    </Fragment>
  ));
}

export type PatchRowsProps = Omit<DiffLinesProps, 'hunks'> & {
  readonly patch: Patch;
  /** A range of rows: of `pairs` for two columns, of `order` for one. */
  readonly from: number;
  readonly to: number;
};

/** Some rows of a patch, for a virtual list. */
export function PatchRows({ patch, path, from, to, isSplit = false, ...rest }: PatchRowsProps): ReactNode {
  const { order, pairs } = patch.index;
  const places = isSplit ? pairs.subarray(2 * from, 2 * to) : order.subarray(from, to);
  const known = places.filter((place) => place >= 0);
  const coloursOf = usePatchColours(patch, path, Math.min(...known), Math.max(...known) + 1);
  const look: LineLook = { ...rest, coloursOf, marksOf: patch.marksOf };
  if (!isSplit) return <LineRows lines={Array.from(places, patch.line)} look={look} />;
  const lineAt = (place: number | undefined) => (place === undefined || place < 0 ? undefined : patch.line(place));
  const rows = Array.from({ length: to - from }, (_, row): DiffPair => {
    const [before, after] = [lineAt(places[2 * row]), lineAt(places[2 * row + 1])];
    return { ...(before && { old: before }), ...(after && { new: after }) };
  });
  return <PairRows rows={rows} look={look} />;
}

function PairRows({ rows, look }: { readonly rows: readonly DiffPair[]; readonly look: LineLook }): ReactNode {
  return rows.map((pair, row) => <PairRow key={row} pair={pair} look={look} />);
}

function LineRows({ lines, look }: { readonly lines: readonly DiffLine[]; readonly look: LineLook }): ReactNode {
  return lines.map((line, row) => (
    <Fragment key={row}>
      <Line line={line} look={look} />
      <Below line={line} look={look} />
    </Fragment>
  ));
}

/** Lines outside the visible area aren't laid out, in chunks of this size. */
const chunkSize = 100;

function chunks<Row>(rows: readonly Row[]): Row[][] {
  const all: Row[][] = [];
  for (let start = 0; start < rows.length; start += chunkSize) all.push(rows.slice(start, start + chunkSize));
  return all;
}

function marksOfPair(pair: DiffPair): (readonly [DiffLine, readonly Span[]])[] {
  if (pair.old?.kind !== 'removed' || pair.new?.kind !== 'added') return [];
  const { removed, added } = wordMarks(pair.old.text, pair.new.text);
  return [
    [pair.old, removed],
    [pair.new, added],
  ];
}

function Line({ line, look }: { readonly line: DiffLine; readonly look: LineLook }): ReactNode {
  const ref = refOf(line);
  const chosen = isIn(look.selected, ref) ? ' diff-chosen' : '';
  return (
    <div className={`diff-line diff-${line.kind}${chosen}`}>
      <Numbers line={line} reference={ref} look={look} />
      <span className="diff-mark">{signs[line.kind]}</span>
      <span className={`diff-text diff-hang-${hangingSteps(line.text)}`}>
        <DiffText text={line.text} tokens={look.coloursOf(line)} marks={look.marksOf(line)} />
      </span>
    </div>
  );
}

type NumbersProps = { readonly line: DiffLine; readonly reference: LineRef | null; readonly look: LineLook };

function Numbers({ line, reference, look }: NumbersProps): ReactNode {
  const { onSelect, selected } = look;
  const numbers = {
    old: <span className="diff-number diff-number-old">{line.oldLine}</span>,
    new: <span className="diff-number diff-number-new">{line.newLine}</span>,
  };
  // The number that identifies the line is the button; the other is only shown.
  const number = (side: LineRef['side']): ReactNode =>
    onSelect === undefined || reference?.side !== side ? (
      numbers[side]
    ) : (
      <button
        type="button"
        className={`diff-choose diff-choose-${side}`}
        aria-label={`Select ${side === 'old' ? 'old ' : ''}line ${reference.line}`}
        aria-pressed={isIn(selected, reference)}
        onClick={(event) => onSelect(extendRange(selected, reference, event.shiftKey))}
      >
        {numbers[side]}
      </button>
    );
  return (
    <>
      {number('old')}
      {number('new')}
    </>
  );
}

function belowOf(line: DiffLine | undefined, look: LineLook): ReactNode {
  const ref = line === undefined ? null : refOf(line);
  const content = ref === null ? null : look.below?.(ref);
  return content === null || content === undefined ? null : <div className="diff-below">{content}</div>;
}

function Below({ line, look }: { readonly line: DiffLine; readonly look: LineLook }): ReactNode {
  return belowOf(line, look);
}

/** A row of two columns. Content below one side reserves the same space on the other, so lines stay paired. */
function PairRow({ pair, look }: { readonly pair: DiffPair; readonly look: LineLook }): ReactNode {
  const isSame = pair.old !== undefined && pair.old === pair.new;
  const below = { old: isSame ? null : belowOf(pair.old, look), new: belowOf(pair.new, look) };
  return (
    <>
      <div className="diff-pair">
        {(['old', 'new'] as const).map((side) => {
          const line = pair[side];
          if (line === undefined) return <div key={side} className="diff-side diff-nothing" aria-hidden="true" />;
          return (
            <div key={side} className={`diff-side diff-side-${side}`} aria-hidden={isSame && side === 'old'}>
              <Line line={line} look={look} />
            </div>
          );
        })}
      </div>
      {(below.old !== null || below.new !== null) && (
        <div className="diff-pair">
          <div className="diff-side">{below.old}</div>
          <div className="diff-side">{below.new}</div>
        </div>
      )}
    </>
  );
}
