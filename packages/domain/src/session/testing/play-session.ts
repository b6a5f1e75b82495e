import type { PermissionRequest, TurnStarted, TurnTerminal } from '@liminal/contracts';
import type { Command } from '../command.ts';
import { decide } from '../decide.ts';
import { evolveAll } from '../evolve.ts';
import type { AgentFact, Effect, Fact } from '../fact.ts';
import { newSession, type Message, type Session } from '../session.ts';

export const at = '2026-01-01T00:00:00.000Z';
export const sessionId = 's';

export const message = (turnId: string, state: Message['state'] = 'waiting'): Message => ({
  turnId,
  content: `content of ${turnId}`,
  images: [],
  createdAt: at,
  state,
});
export const send = (turnId: string): Command => ({ type: 'send', message: message(turnId) });
export const turnStarted = (turnId: string, initiator?: 'agent'): AgentFact => ({
  type: 'turn-started',
  event: started(turnId, initiator),
  at,
});
export const started = (turnId: string, initiator?: 'agent'): TurnStarted => ({
  type: 'turn_started',
  turnId,
  sessionId,
  modelId: 'm',
  providerId: 'p',
  ...(initiator ? { initiator } : {}),
});
export const completed = (turnId: string): TurnTerminal => ({
  type: 'turn_complete',
  turnId,
  sessionId,
  status: 'completed',
});
export const failed = (turnId: string): TurnTerminal => ({
  type: 'turn_error',
  turnId,
  sessionId,
  errorCode: 'MODEL_ERROR',
  errorMessage: 'no',
});
export const turnEnded = (event: TurnTerminal): AgentFact => ({ type: 'turn-ended', event, at });
export const permission = (requestId: string, turnId: string): PermissionRequest => ({
  requestId,
  turnId,
  kind: 'tool',
  title: 'Run ls',
  options: [
    { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ],
  openedAt: at,
});

/** Applies commands and facts to a session one after the other, like the shell. */
export function play(...steps: (Command | Fact)[]) {
  let session: Session = newSession(sessionId);
  const effects: Effect[] = [];
  const facts: Fact[] = [];
  for (const step of steps) {
    const next = isCommand(step) ? must(decide(session, step, at)) : [step];
    const evolved = evolveAll(session, next);
    session = evolved.session;
    effects.push(...evolved.effects);
    facts.push(...next);
  }
  return { session, effects, facts, queue: session.queue.map((queued) => queued.turnId) };
}

const commands = new Set([
  'send',
  'steer',
  'steer-queued',
  'edit',
  'withdraw',
  'resend',
  'cancel',
  'answer',
  'kill',
  'load',
  'open',
  'advance',
  'fork',
  'begin-rewind',
  'end-rewind',
  'deliver',
]);
const isCommand = (step: Command | Fact): step is Command => commands.has(step.type);

function must(decision: ReturnType<typeof decide>): readonly Fact[] {
  if (!decision.ok) throw new Error(decision.failure.message);
  return decision.value;
}
