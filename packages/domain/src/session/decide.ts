import { fail, ok, type FailureCode, type PermissionAnswer, type Result } from '@liminal/contracts';
import { closeTurn } from './close-turn.ts';
import type { Command } from './command.ts';
import { evolveAll } from './evolve.ts';
import type { Fact } from './fact.ts';
import { awaitsAgent, isBusy, runningTurnId, steerableTurnId, type Message, type Session } from './session.ts';

type Decision = Result<readonly Fact[], FailureCode>;

/** Whether a command is allowed, and the facts that follow from it. Changes nothing. */
export function decide(session: Session, command: Command, at: string): Decision {
  switch (command.type) {
    case 'send':
      if (session.life === 'dead') return dead(session);
      return ok(thenAdvance(session, [...released(session), { type: 'message-queued', message: command.message }], at));
    case 'steer':
      return decideSteer(session, command.message, at);
    case 'steer-queued':
      return withQueued(session, command.turnId, () => {
        const steered = steeredInto(session, command.message, at);
        return ok(steered === null ? [] : [{ type: 'message-withdrawn', turnId: command.turnId }, steered]);
      });
    case 'edit':
      return withQueued(session, command.turnId, (message) =>
        ok([{ type: 'message-edited', message: { ...message, content: command.content } }]),
      );
    case 'withdraw':
      return withQueued(session, command.turnId, () => ok([{ type: 'message-withdrawn', turnId: command.turnId }]));
    case 'resend':
      if (session.life === 'dead') return dead(session);
      return withQueued(session, command.turnId, () =>
        ok(
          thenAdvance(
            session,
            [
              { type: 'message-withdrawn', turnId: command.turnId },
              { type: 'message-queued', message: command.message },
            ],
            at,
          ),
        ),
      );
    case 'cancel':
      return ok(cancelled(session));
    case 'answer':
      return decideAnswer(session, command.answer);
    case 'kill':
      return ok(killed(session, at));
    case 'load':
      return ok(session.life === 'loading' ? [] : [{ type: 'session-loading' }]);
    case 'open':
      if (session.life === 'dead') return fail('SESSION_DEAD', 'This session was ended while it was opening.');
      return ok(thenAdvance(session, [{ type: 'session-opened' }, ...released(session)], at));
    case 'fork':
      return decideFork(session, command.turnId);
    case 'begin-rewind':
      return decideRewind(session, command.hasBackgroundWork);
    case 'end-rewind':
      return ok(session.isRewinding ? thenAdvance(session, [{ type: 'rewind-ended' }], at) : []);
    case 'advance':
      return ok(thenAdvance(session, [], at));
    case 'deliver': {
      const { message } = command;
      return ok(awaitsAgent(session, message.turnId) ? [{ type: 'agent-arrived', message }] : []);
    }
  }
}

/** Null if no turn can be steered: the message then waits. */
function steeredInto(session: Session, message: Message, at: string): Fact | null {
  const turnId = steerableTurnId(session);
  if (turnId === null) return null;
  const place = session.steered.filter(({ item }) => item.turnId === turnId).length + 1;
  return { type: 'message-steered', turnId, place, message, at };
}

function decideSteer(session: Session, message: Message, at: string): Decision {
  const steered = steeredInto(session, message, at);
  return steered === null ? decide(session, { type: 'send', message }, at) : ok([steered]);
}

function decideFork(session: Session, turnId: string | null): Decision {
  if (turnId !== null && runningTurnId(session) === turnId)
    return fail('TURN_RUNNING', 'This turn is still running. Stop it or wait until it ends, then fork.');
  if (session.queue.some((queued) => queued.turnId === turnId))
    return fail('TURN_NOT_FOUND', 'This message is still queued. The agent has not seen it yet.');
  return ok([]);
}

/** Conversation and files are rewound together, so nothing may be working on either. */
function decideRewind(session: Session, hasBackgroundWork: boolean): Decision {
  if (session.isRewinding) return fail('TURN_RUNNING', 'This session is already being rewound.');
  if (session.life === 'loading') return fail('TURN_RUNNING', 'This session is still opening. Try again in a moment.');
  if (isBusy(session)) return fail('TURN_RUNNING', 'A turn is running. Stop it or wait until it ends, then rewind.');
  if (session.permissions.length > 0)
    return fail('TURN_RUNNING', 'The agent is waiting for an answer. Answer it first, then rewind.');
  if (hasBackgroundWork)
    return fail('TURN_RUNNING', 'The agent is still working in the background. Stop it or wait, then rewind.');
  return ok([{ type: 'rewind-begun' }]);
}

function dead({ lastError }: Session) {
  const reason = lastError ? `This session couldn't be resumed: ${lastError.message}` : 'This session was ended.';
  return fail('SESSION_DEAD', `${reason} Reopen it (load), then send.`);
}

/** Messages held since a restart continue once the user opens or sends to the session. */
function released(session: Session): Fact[] {
  return session.queue.some((message) => message.state === 'held') ? [{ type: 'queue-released' }] : [];
}

/** Adds the fact that sends the next waiting message, if nothing is running after the given facts. */
function thenAdvance(session: Session, facts: readonly Fact[], at: string): readonly Fact[] {
  const after = evolveAll(session, facts).session;
  if (after.life !== 'open' || isBusy(after) || after.isRewinding) return facts;
  const next = after.queue.find((message) => message.state === 'waiting');
  return next ? [...facts, { type: 'message-handed', message: next, at }] : facts;
}

function withQueued(session: Session, turnId: string, then: (message: Message) => Decision): Decision {
  const message = session.queue.find((queued) => queued.turnId === turnId);
  if (message) return then(message);
  if (session.turn?.turnId === turnId) return fail('TURN_STARTED', 'The agent already has this message.');
  return fail('TURN_NOT_FOUND', 'No queued message has this turn id.');
}

function cancelled(session: Session): Fact[] {
  const turnId = runningTurnId(session);
  return turnId === null || session.turn?.phase === 'cancelling' ? [] : [{ type: 'cancel-requested', turnId }];
}

/** Ending a session also ends its running turn: that turn is cancelled, not failed. */
function killed(session: Session, at: string): Fact[] {
  if (session.life === 'dead') return [];
  const { sessionId } = session;
  const running = [session.agentTurn, session.turn?.turnId].filter((turnId) => typeof turnId === 'string');
  const terminals = running.flatMap((turnId) =>
    closeTurn(session, { type: 'turn_complete', turnId, sessionId, status: 'cancelled' }, at),
  );
  return [...terminals, { type: 'session-killed' }];
}

function decideAnswer(session: Session, answer: PermissionAnswer): Decision {
  const request = session.permissions.find((open) => open.requestId === answer.requestId);
  if (!request) {
    return session.closedPermissions.includes(answer.requestId)
      ? fail('PERMISSION_CLOSED', 'This request was already answered, or has ended.')
      : fail('PERMISSION_NOT_FOUND', "The agent isn't waiting for this answer.");
  }
  const offered = request.options.some((option) => option.optionId === answer.optionId);
  if (offered) return ok([{ type: 'permission-answered', request, answer }]);
  const names = request.options.map((option) => option.optionId).join(', ');
  return fail('INVALID_REQUEST', `"${answer.optionId}" isn't one of the options. Options: ${names}.`);
}
