import type { AttentionKind, ChangeCount, OpenAsk, SessionSummary } from '@liminal/contracts';

/** What a session needs of the user, with what there is to say about it. */
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

/** Something ended that the user has not seen, or they marked the session as unread. */
export const isUnseen = ({ ended, marks }: Pick<Known, 'ended' | 'marks'>): boolean =>
  marks?.unread === true || (ended !== undefined && ended.id !== marks?.seen);

/**
 * The one status of a session: sidebar, tab, inbox, page title, favicon, notifications and the API all show this. A
 * machine that cannot be reached comes first, because whatever it said last may no longer be true.
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

const loudness: readonly AttentionKind[] = ['needs-you', 'failed', 'working', 'done'];

/** What many sessions need together: the loudest. A failure the user has seen is no news, and neither is a pause. */
export function loudestOf(all: Iterable<Attention>): AttentionKind {
  let best = loudness.length;
  for (const attention of all) {
    const place = attention.kind === 'failed' && attention.isSeen ? -1 : loudness.indexOf(attention.kind);
    if (place >= 0) best = Math.min(best, place);
  }
  return loudness[best] ?? 'idle';
}

/** Differs whenever the user would want to look again: another status, request, end or failure. */
export function attentionKey(session: Known): string {
  const { kind } = attentionOf(session);
  return [kind, session.asks?.requestId, session.ended?.id, session.lastError?.at].join(' ');
}
