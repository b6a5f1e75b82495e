import type { AttentionKind, ChangeCount, OpenAsk, SessionSummary } from '@liminal/contracts';

/** What a session needs from the user, with the details to show. */
export type Attention =
  | { readonly kind: 'needs-you'; readonly asks?: OpenAsk }
  | { readonly kind: 'working'; readonly since: string; readonly doing?: string | undefined }
  | { readonly kind: 'failed'; readonly message: string; readonly at: string; readonly isSeen: boolean }
  | { readonly kind: 'done'; readonly at: string; readonly changed?: ChangeCount }
  | { readonly kind: 'unknown'; readonly machine: string }
  | { readonly kind: 'paused' }
  | { readonly kind: 'idle' };

type Known = Pick<
  SessionSummary,
  'activity' | 'updatedAt' | 'lastError' | 'node' | 'ended' | 'working' | 'asks' | 'marks'
>;

/** Something ended that the user hasn't seen, or they marked the session as unread. */
export const isUnseen = ({ ended, marks }: Pick<Known, 'ended' | 'marks'>): boolean =>
  marks?.unread === true || (ended !== undefined && ended.id !== marks?.seen);

/**
 * The single status of a session: sidebar, tab, inbox, page title, favicon, notifications and the API all use it. An
 * unreachable machine comes first, because its last report may be outdated.
 */
export function attentionOf(session: Known): Attention {
  const { activity, updatedAt, lastError, node, ended, working, asks } = session;
  if (node?.presence === 'gone' || node?.presence === 'unseen') return { kind: 'unknown', machine: node.name };
  if (activity === 'waiting') return { kind: 'needs-you', ...(asks && { asks }) };
  if (activity === 'working') return { kind: 'working', since: updatedAt, ...working };
  if (lastError !== undefined)
    return { kind: 'failed', message: lastError.message, at: lastError.at, isSeen: !isUnseen(session) };
  if (isUnseen(session))
    return { kind: 'done', at: ended?.at ?? updatedAt, ...(ended?.changed && { changed: ended.changed }) };
  return { kind: activity === 'asleep' ? 'paused' : 'idle' };
}

/** The turn that failed, whose message can be sent again; null for a failure outside of any turn. */
export const failedTurnOf = ({ lastError, ended }: Pick<Known, 'lastError' | 'ended'>): string | null =>
  lastError === undefined || ended === undefined || isOutsideTurn(ended.id) ? null : ended.id;

const outside = 'failure ';
/** The id of a failure outside of any turn. Ids of turns have no spaces. */
export const outsideTurn = (at: string): string => `${outside}${at}`;
const isOutsideTurn = (id: string): boolean => id.startsWith(outside);

const loudness: readonly AttentionKind[] = ['needs-you', 'failed', 'working', 'done'];

/** The most urgent status of several sessions. Seen failures and paused sessions don't count. */
export function loudestOf(all: Iterable<Attention>): AttentionKind {
  let best = loudness.length;
  for (const attention of all) {
    const place = attention.kind === 'failed' && attention.isSeen ? -1 : loudness.indexOf(attention.kind);
    if (place >= 0) best = Math.min(best, place);
  }
  return loudness[best] ?? 'idle';
}

/** Changes whenever the user would want to look again: a new status, request, end or failure. */
export function attentionKey(session: Known): string {
  const { kind } = attentionOf(session);
  return [kind, session.asks?.requestId, session.ended?.id, session.lastError?.at].join(' ');
}
