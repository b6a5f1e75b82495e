import type { PermissionRequest, SessionError, TurnEvent, TurnTerminal } from '@liminal/contracts';
import { beginTurn, closeTurn } from './close-turn.ts';
import type { AgentError, AgentFact } from './fact.ts';
import type { Session } from './session.ts';

/** What an agent or its process reports by itself. */
export type AgentSignal =
  | { readonly type: 'turn'; readonly event: TurnEvent }
  | { readonly type: 'permission-opened'; readonly request: PermissionRequest }
  | { readonly type: 'permission-ended'; readonly requestId: string; readonly reason: string }
  | { readonly type: 'process-closed'; readonly error: AgentError }
  /** The agent's stored conversation couldn't be opened. */
  | { readonly type: 'load-failed'; readonly error: AgentError };

/** The facts that follow from a signal; none if it doesn't fit the session's state. */
export function factsOfSignal(session: Session, signal: AgentSignal, at: string): AgentFact[] {
  switch (signal.type) {
    case 'turn':
      return signal.event.type === 'turn_started'
        ? beginTurn(session, signal.event, at)
        : closeTurn(session, signal.event, at);
    case 'permission-opened':
      return [signal];
    case 'permission-ended':
      return session.permissions.some((open) => open.requestId === signal.requestId) ? [signal] : [];
    case 'process-closed': {
      const running = [session.agentTurn, session.turn?.turnId].filter((turnId) => typeof turnId === 'string');
      const ended = running.flatMap((turnId) => closeTurn(session, turnFailed(session, turnId, signal.error), at));
      return [...ended, { type: 'process-closed', error: stamped(signal.error, at) }];
    }
    case 'load-failed':
      // The user ended the session meanwhile, so this isn't a failure.
      if (session.life !== 'loading' || signal.error.code === 'SESSION_DEAD') return [];
      return notStarted(session, signal.error, at);
  }
}

/**
 * The agent couldn't be resumed: a turn that waited for it fails, and messages wait until the user opens the session.
 */
export function notStarted(session: Session, error: AgentError, at: string): AgentFact[] {
  const { turn } = session;
  const ended = turn ? closeTurn(session, turnFailed(session, turn.turnId, error), at) : [];
  return [...ended, { type: 'load-failed', error: stamped(error, at) }];
}

export const turnFailed = ({ sessionId }: Session, turnId: string, { code, message }: AgentError): TurnTerminal => ({
  type: 'turn_error',
  turnId,
  sessionId,
  errorCode: code,
  errorMessage: message,
});

const stamped = ({ code, message }: AgentError, at: string): SessionError => ({ code, message, at });
