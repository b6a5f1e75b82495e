import { useEffect, type ReactNode } from 'react';
import type { ChangedFile } from '@liminal/contracts';
import type { FileBody } from '../../state/review/review-state.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/format.ts';
import { useReviewStore } from './use-review.ts';

/** A file loads after this time in view, so scrolling past it doesn't load it. */
const restMs = 60;

/** A file whose lines aren't loaded yet, or that has none to show. */
export function FileNote({
  file,
  body,
}: {
  readonly file: ChangedFile;
  readonly body: FileBody | undefined;
}): ReactNode {
  const review = useReviewStore();
  const isWanted = body === undefined || (body.phase === 'ready' && body.isStale);
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => void review.loader.need(file.path), restMs);
    return () => clearTimeout(timer);
  }, [review, file.path, isWanted]);
  if (body === undefined || body.phase === 'loading')
    return (
      <p className="review-note review-late" aria-busy="true">
        Reading changes…
      </p>
    );
  if (body.phase === 'failed')
    return (
      <p className="review-note" role="alert">
        {`Couldn't read this file. ${body.failure.message}`}
        <Button onClick={() => void review.loader.readAgain(file.path)}>Try again</Button>
      </p>
    );
  const { tooLarge, binary, oldSize, newSize } = body.reply;
  if (tooLarge)
    return (
      <p className="review-note">
        {`This change is large${newSize === undefined ? '' : ` (${formatBytes(newSize)})`}, so it isn't shown at once.`}
        <Button onClick={() => void review.loader.readAgain(file.path, true)}>Show anyway</Button>
      </p>
    );
  return <p className="review-note">{binary ? sizes(oldSize, newSize) : withoutLines(file)}</p>;
}

function sizes(before: number | undefined, after: number | undefined): string {
  if (before === undefined && after === undefined) return 'Binary file.';
  if (before === undefined) return `Binary file, ${formatBytes(after ?? 0)}.`;
  if (after === undefined) return `Binary file, was ${formatBytes(before)}.`;
  return `Binary file, ${formatBytes(before)} before and ${formatBytes(after)} now.`;
}

function withoutLines({ change, kind, size }: ChangedFile): string {
  if (kind === 'submodule') return 'A submodule: only its commit changed.';
  if (change === 'renamed') return 'Renamed without changes.';
  if (change === 'added' && size === 0) return 'An empty file.';
  return 'No lines changed: only its mode, its final newline or whitespace.';
}
