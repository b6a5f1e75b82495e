import { useEffect, useState, type ReactNode } from 'react';
import type { PermissionNotice } from '@liminal/contracts';
import { useClosedPermissions } from '../../state/sessions/use-session.ts';
import { showHidden } from '@liminal/domain/text/visible-text';

/** Long enough to read for a user who looks up because the card disappeared. */
const shownMs = 8000;

/** Shows briefly what happened to a request that wasn't answered in this window. */
export function ClosedNotice({ answeredHere }: { readonly answeredHere: ReadonlySet<string> }): ReactNode {
  const latest = useClosedPermissions().at(-1);
  // Requests closed before the session was opened aren't reported.
  const [seen, setSeen] = useState<PermissionNotice | undefined>(latest);
  const isNews = latest !== undefined && latest !== seen && !answeredHere.has(latest.request.requestId);
  useEffect(() => {
    if (!isNews) return undefined;
    const timer = setTimeout(() => setSeen(latest), shownMs);
    return () => clearTimeout(timer);
  }, [isNews, latest]);
  return (
    <div role="status" className="permission-closed-place">
      {isNews && <p className="permission-closed">{describeClosed(latest)}</p>}
    </div>
  );
}

const longest = 80;
const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text);

/** What happened to a request, in a sentence. */
export function describeClosed({ state, request, optionId, reason }: PermissionNotice): string {
  const title = showHidden(short(request.title.replace(/\s+/g, ' ')));
  const option = request.options.find((each) => each.optionId === optionId);
  if (state === 'answered') return `Answered elsewhere: ${option?.name ?? 'answered'}. ${title}`;
  return `Request closed${reason === undefined || reason === '' ? '' : ` (${reason})`}: ${title}`;
}
