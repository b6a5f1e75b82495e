import { useState, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { formatCount } from '../ui/format.ts';
import { PathText } from './path-link.tsx';

/** Laying out more than this at once would block the page for seconds. */
export const longTextLimit = 60_000;
const step = 200_000;

/** A text of any length: its start, and more of it on a click. `mentions`: a user wrote it. */
export function LongText({
  text,
  mentions = false,
}: {
  readonly text: string;
  readonly mentions?: boolean;
}): ReactNode {
  const [shown, setShown] = useState(longTextLimit);
  if (text.length <= shown) return <PathText text={text} mentions={mentions} />;
  const left = text.length - shown;
  return (
    <>
      <PathText text={text.slice(0, shown)} mentions={mentions} />
      <span className="long-text-more">
        <Button look="quiet" onClick={() => setShown(shown + step)}>
          {left > step
            ? `Show ${formatCount(step)} more of ${formatCount(left)} characters`
            : `Show the remaining ${formatCount(left)} characters`}
        </Button>
      </span>
    </>
  );
}
