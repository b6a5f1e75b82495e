import type { ReactNode } from 'react';
import { useIsDisconnected } from '../../state/workbench/use-workbench.ts';
import { useNow } from '../../state/base/use-now.ts';
import { formatElapsed } from '../../ui/format.ts';

/** Shorter than this is no news, and a number that flashes up is a jump. */
const worthSayingMs = 3000;

/** How long a call has been running, once that is worth saying. */
export function RunningFor({ since }: { readonly since: string }): ReactNode {
  const elapsed = useNow(1000) - Date.parse(since);
  // Without the server nobody knows whether it still runs.
  const isDisconnected = useIsDisconnected();
  return !isDisconnected && elapsed >= worthSayingMs ? (
    <span className="elapsed elapsed-running">{formatElapsed(elapsed)}</span>
  ) : null;
}
