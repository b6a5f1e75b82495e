import type { PermissionNotice, PermissionRequest } from '@liminal/contracts';

/** Enough to say what became of a request a person was looking at; the audit record has them all. */
const kept = 20;

/** The notices with newer ones behind them, the oldest dropped. */
export function noteClosed(
  closed: readonly PermissionNotice[],
  notices: readonly PermissionNotice[],
): readonly PermissionNotice[] {
  return [...closed, ...notices].slice(-kept);
}

/** What a history leaves unsaid: a request that was open here and is not open there has ended meanwhile. */
export function closedByHistory(
  held: readonly PermissionRequest[],
  open: readonly PermissionRequest[],
): PermissionNotice[] {
  const stillOpen = new Set(open.map((request) => request.requestId));
  return held.filter((request) => !stillOpen.has(request.requestId)).map((request) => ({ state: 'ended', request }));
}
