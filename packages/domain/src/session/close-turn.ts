import type { TurnEvent, TurnTerminal } from '@liminal/contracts';
import type { AgentFact } from './fact.ts';
import type { Session } from './session.ts';

/** Does this event of the agent belong to the life of a turn as we know it? A late or second one does not. */
export function acceptsTurnEvent(session: Session, event: TurnEvent): boolean {
  const isOurs = session.turn?.turnId === event.turnId;
  if (event.type === 'turn_started') {
    return isOurs ? session.turn?.started === false : event.initiator === 'agent' && session.agentTurn !== event.turnId;
  }
  return isOurs || session.agentTurn === event.turnId;
}

/** The facts that end a turn; one that never started is started first, so that every turn has both. */
export function closeTurn(session: Session, terminal: TurnTerminal, at: string): AgentFact[] {
  if (!acceptsTurnEvent(session, terminal)) return [];
  const ended: AgentFact = { type: 'turn-ended', event: terminal, at };
  const { turn, sessionId } = session;
  if (turn?.turnId !== terminal.turnId || turn.started) return [ended];
  const event = {
    type: 'turn_started',
    turnId: terminal.turnId,
    sessionId,
    modelId: 'unknown',
    providerId: 'unknown',
  } as const;
  return [{ type: 'turn-started', event, at }, ended];
}
