/** What a tab shows. */
export type TabTarget =
  | { readonly kind: 'session'; readonly sessionId: string }
  | { readonly kind: 'review'; readonly sessionId: string }
  /** A file of a session's folder; the path is empty until one is chosen. */
  | { readonly kind: 'file'; readonly sessionId: string; readonly path: string }
  | { readonly kind: 'terminal'; readonly terminalId: string };

const [reviewMark, fileMark, terminalMark] = ['review:', 'file:', 'terminal:'];

export const reviewTab = (sessionId: string): string => `${reviewMark}${sessionId}`;
export const fileTab = (sessionId: string, path: string): string =>
  `${fileMark}${encodeURIComponent(sessionId)}:${path}`;
export const terminalTab = (terminalId: string): string => `${terminalMark}${terminalId}`;

/** Parses a tab id. A session's tab has the id of the session, so that tabs of earlier versions still open. */
export function readTab(id: string): TabTarget {
  if (id.startsWith(reviewMark)) return { kind: 'review', sessionId: id.slice(reviewMark.length) };
  if (id.startsWith(terminalMark)) return { kind: 'terminal', terminalId: id.slice(terminalMark.length) };
  const [, encoded, path] = id.startsWith(fileMark) ? (/^file:([^:]+):(.*)$/s.exec(id) ?? []) : [];
  const sessionId = encoded === undefined ? null : decoded(encoded);
  if (sessionId === null || path === undefined) return { kind: 'session', sessionId: id };
  return { kind: 'file', sessionId, path };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The session a tab belongs to; null for a terminal. */
export function sessionOfTab(id: string): string | null {
  const target = readTab(id);
  return target.kind === 'terminal' ? null : target.sessionId;
}

/** The id of a tab's element. Lists of such ids are separated by spaces, which a path may contain. */
export const tabElementId = (id: string): string => `tab-${encodeURIComponent(id)}`;
