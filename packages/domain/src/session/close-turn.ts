import type { TurnEvent, TurnStarted, TurnTerminal } from '@liminal/contracts';
import type { AgentFact } from './fact.ts';
import type { Session } from './session.ts';

/** Whether a turn event fits the state of the session. A late or repeated one doesn't. */
function acceptsTurnEvent(session: Session, event: TurnEvent): boolean {
  const isOurs = session.turn?.turnId === event.turnId;
  if (event.type === 'turn_started') {
    if (isOurs) return session.turn?.started === false;
    return session.agentTurn !== event.turnId && (event.initiator === 'agent' || isSteered(session, event.turnId));
  }
  return isOurs || session.agentTurn === event.turnId;
}

const isSteered = (session: Session, turnId: string): boolean =>
  session.steered.some(({ ownTurnId }) => ownTurnId === turnId);

/** The facts that start a turn. If a steered message starts one, later steered messages move into it too. */
export function beginTurn(session: Session, event: TurnStarted, at: string): AgentFact[] {
  if (!acceptsTurnEvent(session, event)) return [];
  const started: AgentFact = { type: 'turn-started', event, at };
  if (session.turn?.turnId === event.turnId || !isSteered(session, event.turnId)) return [started];
  const first = session.steered.findIndex(({ ownTurnId }) => ownTurnId === event.turnId);
  return [{ type: 'steering-missed', turnId: event.turnId, messages: session.steered.slice(first), at }, started];
}

/** The facts that end a turn. One that never started is started first, so every turn has both events. */
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
