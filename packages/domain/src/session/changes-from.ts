import type { PermissionNotice, PermissionRequest, QueuedMessage } from '@liminal/contracts';
import type { ChangeBody } from '../delivery/change.ts';
import { evolve } from './evolve.ts';
import type { Effect, Fact } from './fact.ts';
import { attachmentsOf, personsItem } from './persons-item.ts';
import type { Message, Session } from './session.ts';
import { failedItem, movedItems, steeredItem } from './steered.ts';

/**
 * The changes for readers when a fact turned `before` into `after`. The shell adds the status: it knows the process.
 */
export function changesFrom(before: Session, fact: Fact, after: Session): ChangeBody[] {
  const changes: ChangeBody[] = [];
  if (before.queue !== after.queue) {
    changes.push({ type: 'session:queue', payload: { queue: after.queue.map(queuedMessage) } });
  }
  if (fact.type === 'message-handed') {
    changes.push({ type: 'session:upsert', payload: personsItem(after.sessionId, fact.message, fact.at) });
  }
  if (fact.type === 'message-steered') {
    changes.push({ type: 'session:upsert', payload: steeredItem(after.sessionId, fact) });
  }
  if (fact.type === 'steering-missed') {
    for (const payload of movedItems(fact)) changes.push({ type: 'session:upsert', payload });
  }
  if (fact.type === 'steering-failed') changes.push({ type: 'session:upsert', payload: failedItem(fact) });
  if (fact.type === 'permission-opened') {
    changes.push({ type: 'session:permission', payload: { state: 'open', request: fact.request } });
  }
  for (const request of before.permissions) {
    if (!after.permissions.includes(request)) {
      changes.push({ type: 'session:permission', payload: closingNotice(fact, request) });
    }
  }
  if (fact.type === 'turn-started' || fact.type === 'turn-ended') {
    changes.push({ type: 'session:turn', payload: fact.event });
  }
  return changes;
}

export type Applied = {
  readonly session: Session;
  readonly effects: readonly Effect[];
  readonly changes: ChangeBody[];
};

/** Applies facts to a session; returns its new state, the effects for the shell, and the changes for readers. */
export function applyFacts(session: Session, facts: readonly Fact[]): Applied {
  const effects: Effect[] = [];
  const changes: ChangeBody[] = [];
  let now = session;
  for (const fact of facts) {
    const next = evolve(now, fact);
    effects.push(...next.effects);
    changes.push(...changesFrom(now, fact, next.session));
    now = next.session;
  }
  return { session: now, effects, changes };
}

export function queuedMessage(message: Message): QueuedMessage {
  const { turnId, content, createdAt, state, images } = message;
  return { turnId, content, createdAt, state, ...(images.length > 0 ? { attachments: attachmentsOf(message) } : {}) };
}

function closingNotice(fact: Fact, request: PermissionRequest): PermissionNotice {
  if (fact.type === 'permission-answered') {
    return { state: 'answered', request: closedRequest(request), optionId: fact.answer.optionId };
  }
  return { state: 'ended', request: closedRequest(request), reason: reasonOf(fact) };
}

function reasonOf(fact: Fact): string {
  if (fact.type === 'permission-ended') return fact.reason;
  if (fact.type === 'turn-ended') {
    return fact.event.type === 'turn_error' ? 'The turn failed.' : `The turn was ${fact.event.status}.`;
  }
  return fact.type === 'session-killed' ? 'The session was ended.' : 'The agent stopped.';
}

/**
 * A closed request as readers receive it, without the details that were needed only to decide. Arguments and diffs may
 * be large, and every closed request is kept for readers that return.
 */
function closedRequest(request: PermissionRequest): PermissionRequest {
  const { toolArguments: _arguments, diffs: _diffs, description: _description, ...rest } = request;
  const { questions: _questions, schema: _schema, ...closed } = rest;
  return closed;
}
