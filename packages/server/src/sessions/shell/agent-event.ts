import type { SessionInfo, UpsertObject } from '@liminal/contracts';
import type { AgentSignal } from '@liminal/domain/session/agent-signal';
import type { CliProvider, Unsubscribe, UpsertDetail } from '../../providers/provider.ts';
import type { ChangePlacer } from './place-changes.ts';

/** Everything an agent or its process reports, as one value each. */
export type AgentEvent =
  | { readonly type: 'item'; readonly upsert: UpsertObject; readonly how?: UpsertDetail | undefined }
  | { readonly type: 'info'; readonly patch: SessionInfo }
  | AgentSignal;

/** Follows one session of a provider; returns the functions that end each subscription. */
export function followAgent(
  provider: CliProvider,
  sessionId: string,
  listener: (event: AgentEvent) => void,
): readonly Unsubscribe[] {
  return [
    provider.onTurn(sessionId, (event) => listener({ type: 'turn', event })),
    provider.onUpsert(sessionId, (upsert, how) => listener({ type: 'item', upsert, how })),
    provider.onPermission?.(sessionId, (signal) =>
      listener(
        signal.state === 'ended'
          ? { type: 'permission-ended', requestId: signal.requestId, reason: signal.reason }
          : { type: 'permission-opened', request: signal.request },
      ),
    ),
    provider.onSessionInfo?.(sessionId, (patch) => listener({ type: 'info', patch })),
    provider.onClosed?.(sessionId, (error) => listener({ type: 'process-closed', error })),
  ].filter((unsubscribe) => unsubscribe !== undefined);
}

/** Whether files must be read first: the event has changes whose place in the file isn't known yet. */
export function needsFiles(event: AgentEvent, changes: ChangePlacer): boolean {
  if (event.type === 'permission-opened') return (event.request.diffs ?? []).length > 0;
  if (event.type !== 'item') return false;
  try {
    return changes.concerns(event.upsert);
  } catch {
    // An event that can't be inspected fails when it is handled, and affects only this session.
    return false;
  }
}

/** The event with its changes placed in the files. */
export async function placeChangesOf(event: AgentEvent, changes: ChangePlacer): Promise<AgentEvent> {
  if (event.type === 'item') return { ...event, upsert: await changes.placed(event.upsert) };
  if (event.type === 'permission-opened') return { ...event, request: await changes.asked(event.request) };
  return event;
}
