import type { MessageUpsert, PermissionNotice, PermissionRequest, QueuedMessage } from '@liminal/contracts';
import type { ChangeBody } from '../delivery/change.ts';
import type { Fact } from './fact.ts';
import type { Message, Session } from './session.ts';

/** What readers are told when a fact has turned `before` into `after`. The status is the shell's: it knows the process. */
export function tell(before: Session, fact: Fact, after: Session): ChangeBody[] {
  const told: ChangeBody[] = [];
  if (before.queue !== after.queue) {
    told.push({ type: 'session:queue', payload: { queue: after.queue.map(queuedMessage) } });
  }
  if (fact.type === 'message-handed') {
    told.push({ type: 'session:upsert', payload: personsItem(after.sessionId, fact.message, fact.at) });
  }
  if (fact.type === 'message-steered') {
    told.push({ type: 'session:upsert', payload: steeredItem(after.sessionId, fact) });
  }
  if (fact.type === 'permission-opened') {
    told.push({ type: 'session:permission', payload: { state: 'open', request: fact.request } });
  }
  for (const request of before.permissions) {
    if (!after.permissions.includes(request)) {
      told.push({ type: 'session:permission', payload: closingNotice(fact, request) });
    }
  }
  if (fact.type === 'turn-started' || fact.type === 'turn-ended') {
    told.push({ type: 'session:turn', payload: fact.event });
  }
  return told;
}

export function queuedMessage(message: Message): QueuedMessage {
  const { turnId, content, createdAt, state, images } = message;
  return { turnId, content, createdAt, state, ...(images.length > 0 ? { attachments: attachmentsOf(message) } : {}) };
}

/** The person's own item of a turn: whole from the start, shown when the message is handed to the agent. */
export function personsItem(sessionId: string, message: Message, at: string): MessageUpsert {
  return {
    type: 'message',
    turnId: message.turnId,
    sessionId,
    itemId: `${message.turnId}:0:0`,
    sourceTimestamp: message.createdAt,
    emittedAt: at,
    status: 'complete',
    content: message.content,
    origin: 'user',
    ...(message.images.length > 0 ? { attachments: attachmentsOf(message) } : {}),
  };
}

/** A message steered into a running turn stands behind the one that began it. */
export function steeredItem(sessionId: string, fact: Steered): MessageUpsert {
  const { turnId, place, message, at } = fact;
  return { ...personsItem(sessionId, message, at), turnId, itemId: `${turnId}:0:${place}` };
}
type Steered = Extract<Fact, { type: 'message-steered' }>;

const attachmentsOf = (message: Message) =>
  message.images.map((image) => ({
    mimeType: image.mimeType,
    // Base64 carries three bytes in four characters.
    size: Math.floor((image.data.length * 3) / 4),
    ...(image.name === undefined ? {} : { name: image.name }),
  }));

function closingNotice(fact: Fact, request: PermissionRequest): PermissionNotice {
  if (fact.type === 'permission-answered') {
    return { state: 'answered', request, optionId: fact.answer.optionId };
  }
  return { state: 'ended', request, reason: reasonOf(fact) };
}

function reasonOf(fact: Fact): string {
  if (fact.type === 'permission-ended') return fact.reason;
  if (fact.type === 'turn-ended') {
    return fact.event.type === 'turn_error' ? 'The turn failed.' : `The turn was ${fact.event.status}.`;
  }
  return fact.type === 'session-killed' ? 'The session was ended.' : 'The agent is gone.';
}
