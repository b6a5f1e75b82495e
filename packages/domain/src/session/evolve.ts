import type { PermissionRequest, TurnStarted, TurnTerminal } from '@liminal/contracts';
import type { Effect, Fact } from './fact.ts';
import { refusedCall } from './refused-calls.ts';
import type { Message, Session } from './session.ts';
import { ownItems, steeredItem } from './steered.ts';

export type Evolved = { readonly session: Session; readonly effects: readonly Effect[] };

/** Applies a fact: the new state, and the effects for the shell. */
export function evolve(session: Session, fact: Fact): Evolved {
  switch (fact.type) {
    case 'message-queued':
      return only({ ...session, queue: [...session.queue, fact.message] });
    case 'message-edited':
      return only({ ...session, queue: replaced(session.queue, fact.message) });
    case 'message-withdrawn':
      return only({ ...session, queue: without(session.queue, fact.turnId) });
    case 'queue-released':
      return only({ ...session, queue: session.queue.map(release) });
    case 'message-handed':
      return {
        session: {
          ...session,
          queue: without(session.queue, fact.message.turnId),
          turn: { turnId: fact.message.turnId, phase: 'sending', awaitsAgent: true, started: false },
        },
        effects: [{ type: 'wake-agent', message: fact.message }],
      };
    case 'agent-arrived':
      return {
        session: session.turn ? { ...session, turn: { ...session.turn, awaitsAgent: false } } : session,
        effects: [{ type: 'send-message', message: fact.message }],
      };
    case 'message-steered': {
      const { message } = fact;
      const item = steeredItem(session.sessionId, fact);
      return {
        session: { ...session, steered: [...session.steered, { ownTurnId: message.turnId, item }] },
        effects: [{ type: 'steer-message', message, item }],
      };
    }
    case 'cancel-requested':
      return {
        session: session.turn ? { ...session, turn: { ...session.turn, phase: 'cancelling' } } : session,
        effects: [{ type: 'cancel-turn', turnId: fact.turnId }],
      };
    case 'permission-answered':
      return {
        session: {
          ...closing(session, (open) => open.requestId === fact.request.requestId),
          refusedCalls: [...session.refusedCalls, ...refusedCall(fact)].slice(-closedKept),
        },
        effects: [{ type: 'resolve-permission', answer: fact.answer }],
      };
    case 'session-killed':
      return {
        session: {
          ...closing(session, () => true),
          life: 'dead',
          turn: null,
          agentTurn: null,
          steered: [],
          queue: session.queue.map(hold),
          // The user ended it on purpose, so an earlier failure no longer matters.
          lastError: null,
        },
        effects: [{ type: 'kill-process' }],
      };
    case 'rewind-begun':
      return only({ ...session, isRewinding: true, queue: session.queue.map(hold) });
    case 'rewind-ended':
      return only({ ...session, isRewinding: false, steered: [], lastError: null });
    case 'session-loading':
      return only({ ...session, life: 'loading', lastError: session.life === 'dead' ? null : session.lastError });
    case 'session-opened':
      return only({ ...session, life: 'open' });
    case 'load-failed':
      return only({ ...session, life: 'dead', queue: session.queue.map(hold), lastError: fact.error });
    case 'turn-started':
      return only(started(session, fact.event));
    case 'turn-ended':
      return only(ended(session, fact.event, fact.at));
    case 'steering-missed': {
      const missed = fact.messages.map(({ ownTurnId }) => ownTurnId);
      const others = session.steered.filter(({ ownTurnId }) => !missed.includes(ownTurnId));
      // Later messages share the first one's turn, but the agent may still give them turns of their own.
      return only({ ...session, steered: [...others, ...ownItems(fact).slice(1)] });
    }
    case 'steering-failed':
      // The failed message keeps its place, so the next steered one doesn't reuse its item id.
      return only(session);
    case 'cancel-failed':
      return only(
        session.turn?.turnId === fact.turnId && session.turn.phase === 'cancelling'
          ? { ...session, turn: { ...session.turn, phase: session.turn.started ? 'running' : 'sending' } }
          : session,
      );
    case 'permission-opened':
      return only({ ...session, permissions: [...session.permissions, fact.request] });
    case 'permission-ended':
      return only(closing(session, (open) => open.requestId === fact.requestId));
    case 'process-closed':
      return only({ ...closing(session, () => true), steered: [], lastError: fact.error });
  }
}

export function evolveAll(session: Session, facts: readonly Fact[]): Evolved {
  const effects: Effect[] = [];
  let now = session;
  for (const fact of facts) {
    const next = evolve(now, fact);
    now = next.session;
    effects.push(...next.effects);
  }
  return { session: now, effects };
}

const only = (session: Session): Evolved => ({ session, effects: [] });

const without = (queue: readonly Message[], turnId: string) => queue.filter((message) => message.turnId !== turnId);

const replaced = (queue: readonly Message[], message: Message) =>
  queue.map((queued) => (queued.turnId === message.turnId ? message : queued));

const release = (message: Message): Message => (message.state === 'held' ? { ...message, state: 'waiting' } : message);
const hold = (message: Message): Message => (message.state === 'waiting' ? { ...message, state: 'held' } : message);

const closedKept = 200;

function closing(session: Session, closes: (request: PermissionRequest) => boolean): Session {
  const closed = session.permissions.filter(closes);
  if (closed.length === 0) return session;
  return {
    ...session,
    permissions: session.permissions.filter((open) => !closes(open)),
    closedPermissions: [...session.closedPermissions, ...closed.map((request) => request.requestId)].slice(-closedKept),
  };
}

function started(session: Session, event: TurnStarted): Session {
  if (session.turn?.turnId !== event.turnId) return { ...session, agentTurn: event.turnId };
  const phase = session.turn.phase === 'cancelling' ? 'cancelling' : 'running';
  return { ...session, steered: [], turn: { ...session.turn, phase, awaitsAgent: false, started: true } };
}

function ended(session: Session, event: TurnTerminal, at: string): Session {
  return {
    ...closing(session, (open) => open.turnId === event.turnId && open.outlivesTurn !== true),
    steered: session.steered.filter(({ item }) => item.turnId === event.turnId),
    turn: session.turn?.turnId === event.turnId ? null : session.turn,
    agentTurn: session.agentTurn === event.turnId ? null : session.agentTurn,
    lastError: event.type === 'turn_error' ? { code: event.errorCode, message: event.errorMessage, at } : null,
  };
}
