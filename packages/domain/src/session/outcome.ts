import type { MessageUpsert } from '@liminal/contracts';
import { notStarted, turnFailed } from './agent-signal.ts';
import { closeTurn } from './close-turn.ts';
import type { AgentError, AgentFact } from './fact.ts';
import { awaitsAgent, type Message, type Session } from './session.ts';

/** The outcome of an effect on the agent. */
export type Outcome =
  | { readonly type: 'done' }
  /** The agent is ready for the message, unless it was cancelled meanwhile. */
  | { readonly type: 'agent-ready'; readonly message: Message }
  /** The session was cancelled or ended while the message waited for its agent; nothing was sent. */
  | { readonly type: 'sending-stopped'; readonly turnId: string }
  /** The agent couldn't be started or resumed. */
  | { readonly type: 'not-started'; readonly turnId: string; readonly error: AgentError }
  | { readonly type: 'not-sent'; readonly turnId: string; readonly error: AgentError }
  /** A message shown in the running turn wasn't delivered. */
  | { readonly type: 'not-steered'; readonly item: MessageUpsert; readonly error: AgentError }
  | { readonly type: 'not-cancelled'; readonly turnId: string; readonly error: AgentError }
  | { readonly type: 'not-answered'; readonly error: AgentError }
  | { readonly type: 'not-killed'; readonly error: AgentError };

/** The facts that follow from an outcome. */
export function factsOfOutcome(session: Session, outcome: Outcome, at: string): AgentFact[] {
  switch (outcome.type) {
    case 'agent-ready':
      return awaitsAgent(session, outcome.message.turnId) ? [] : cancelled(session, outcome.message.turnId, at);
    case 'sending-stopped':
      return cancelled(session, outcome.turnId, at);
    case 'not-started':
      // A session that was ended meanwhile no longer has this turn.
      return session.turn?.turnId === outcome.turnId ? notStarted(session, outcome.error, at) : [];
    case 'not-sent':
      return closeTurn(session, turnFailed(session, outcome.turnId, outcome.error), at);
    case 'not-steered':
      return [{ type: 'steering-failed', item: outcome.item, error: outcome.error }];
    case 'not-cancelled':
      return [{ type: 'cancel-failed', turnId: outcome.turnId }];
    case 'done':
    case 'not-answered':
    case 'not-killed':
      return [];
  }
}

const cancelled = (session: Session, turnId: string, at: string): AgentFact[] =>
  closeTurn(session, { type: 'turn_complete', turnId, sessionId: session.sessionId, status: 'cancelled' }, at);
