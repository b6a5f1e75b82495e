import {
  type EditQueuedBody,
  type Failure,
  fail,
  ok,
  type PermissionAnswer,
  type PermissionDecision,
  type QueuedImages,
  type QueuedMessage,
  type SendBody,
} from '@liminal/contracts';
import type { Command } from '@liminal/domain/session/command';
import { queuedMessage } from '@liminal/domain/session/changes-from';
import type { Session } from '@liminal/domain/session/session';
import type { StoreWrite } from '../../store/rows.ts';
import { attempt } from './attempt.ts';
import { draftsAgain } from '../review/session-comments.ts';
import { listComments } from '../review/comment-list.ts';
import type { WritesFor } from '../shell/send-message.ts';
import { decisionOf } from '../shell/permission-decision.ts';
import type { SessionServiceDeps } from './session-service.ts';
import { checkMessage, keepBeside, readBeside, readSentMessage, messagesUnder } from './sent-message.ts';
import { openPlace } from './session-worktrees.ts';

/** What a user does within a session: send, stop, answer, and manage the queue. */
export function createSessionTurns({ store, roster, places, worktrees, now, newId }: SessionServiceDeps) {
  const newMessage = messagesUnder({ now, newId });

  const perform = (sessionId: string, command: Command) =>
    attempt(() =>
      roster.with(sessionId, async ({ shell }) => {
        const handled = await shell.handle(command);
        if (!handled.ok) return handled;
        const performed = await handled.value.performed;
        return performed.ok ? ok({}) : performed;
      }),
    );

  const onQueued = (sessionId: string, turnId: string, command: Command, writes: readonly StoreWrite[] = []) =>
    attempt(() =>
      roster.with<{ queue: QueuedMessage[] }>(sessionId, async ({ shell }) => {
        const handled = await shell.handle(command, writes);
        if (handled.ok) return ok({ queue: shell.session().queue.map(queuedMessage) });
        return handled.failure.code === 'TURN_NOT_FOUND' ? notWaiting(sessionId, turnId) : handled;
      }),
    );
  const notWaiting = (sessionId: string, turnId: string) =>
    store.turn(sessionId, turnId) === undefined
      ? fail('TURN_NOT_FOUND', 'No queued message has this turn id.')
      : fail('TURN_STARTED', 'This message is no longer queued.');

  return {
    send: (sessionId: string, body: SendBody, writesFor?: WritesFor) =>
      attempt(() =>
        roster.with(sessionId, async ({ shell, link }) => {
          const isSteered = body.mode === 'steer';
          if (isSteered && !link.provider.capabilities.steer) {
            return fail('NOT_SUPPORTED', `${link.provider.name} doesn't support steering.`);
          }
          const allowed = roster.mayStart(shell.row());
          if (!allowed.ok) return allowed;
          const there = await openPlace(worktrees, shell.row());
          if (!there.ok) return there;
          const project = places.project(shell.row());
          const checked = await checkMessage(body, link.provider, project.ok ? project.value.dir : null);
          if (!checked.ok) return checked;
          const message = newMessage(body.content, body.images);
          const beside = { images: body.images ?? [], mentions: body.mentions ?? [] };
          const sent = await shell.send(
            message,
            body.clientMessageId ?? null,
            isSteered ? 'steer' : 'send',
            (turnId) => [
              ...(writesFor?.(turnId) ?? []),
              // A steered message is part of another message's turn, and never resent by itself.
              ...(turnId === message.turnId ? keepBeside(sessionId, turnId, beside, now()) : []),
            ],
          );
          return sent.ok ? ok({ turnId: sent.value.turnId }) : sent;
        }),
      ),

    cancel: (sessionId: string) => perform(sessionId, { type: 'cancel' }),
    kill: (sessionId: string) => perform(sessionId, { type: 'kill' }),

    answer: (sessionId: string, answer: PermissionAnswer, by = 'person') =>
      attempt(() =>
        roster.with(sessionId, async ({ shell, link }) => {
          const decision = decisionOf(shell.session(), answer, now(), by);
          const isWithAnswer = link.provider.capabilities.feedback === true && takesReason(shell.session(), answer);
          const writes = decision ? [{ type: 'add-decision', decision } as const] : [];
          const handled = await shell.handle({ type: 'answer', answer }, writes);
          if (!handled.ok) return wasClosed(handled.failure, store.decisions(sessionId), answer);
          const performed = await handled.value.performed;
          if (!performed.ok) return performed;
          const sentence = isWithAnswer ? '' : (answer.feedback?.trim() ?? '');
          if (sentence === '') return ok({});
          const sent = await shell.send(newMessage(sentence), null);
          return sent.ok ? ok({}) : sent;
        }),
      ),

    editQueued: (sessionId: string, turnId: string, { content }: EditQueuedBody) =>
      onQueued(sessionId, turnId, { type: 'edit', turnId, content }),
    queuedImages: (sessionId: string, turnId: string) =>
      roster.with<QueuedImages>(sessionId, async ({ shell }) => {
        const queued = shell.session().queue.find((waiting) => waiting.turnId === turnId);
        return queued ? ok({ images: [...queued.images] }) : notWaiting(sessionId, turnId);
      }),
    sentMessage: (sessionId: string, turnId: string) =>
      roster.with(sessionId, async () => readSentMessage(store, sessionId, turnId)),
    async withdraw(sessionId: string, turnId: string) {
      const drafts = draftsAgain(store.comments(sessionId), turnId);
      const done = await onQueued(sessionId, turnId, { type: 'withdraw', turnId }, drafts);
      const opened = roster.get(sessionId);
      if (done.ok && opened.ok && drafts.length > 0) {
        await opened.value.shell.publishComments(await listComments({ store, places }, opened.value.shell));
      }
      return done;
    },

    /** Sends a queued message into the running turn. */
    steerQueued: (sessionId: string, turnId: string) =>
      attempt(() =>
        roster.with(sessionId, async ({ shell, link }) => {
          if (!link.provider.capabilities.steer)
            return fail('NOT_SUPPORTED', `${link.provider.name} doesn't support steering.`);
          const queued = shell.session().queue.find((waiting) => waiting.turnId === turnId);
          const message = newMessage(queued?.content ?? '', queued?.images);
          const { mentions } = readBeside(store, sessionId, turnId);
          const sent = await shell.steerQueued(turnId, message, (own) =>
            keepBeside(sessionId, own, { images: [...message.images], mentions }, now()),
          );
          if (sent.ok) return ok({ turnId: sent.value.turnId });
          return sent.failure.code === 'TURN_NOT_FOUND' ? notWaiting(sessionId, turnId) : sent;
        }),
      ),

    /** Resends a message that may not have arrived, as its own turn. */
    resend: (sessionId: string, turnId: string) =>
      roster.with(sessionId, async ({ shell }) => {
        const queued = shell.session().queue.find((waiting) => waiting.turnId === turnId);
        const message = newMessage(queued?.content ?? '', queued?.images);
        const { mentions } = readBeside(store, sessionId, turnId);
        const beside = keepBeside(sessionId, message.turnId, { images: [...message.images], mentions }, now());
        const done = await onQueued(sessionId, turnId, { type: 'resend', turnId, message }, beside);
        return done.ok ? ok({ turnId: message.turnId }) : done;
      }),
  };
}

/** An agent that takes a note with an answer takes it as the reason for refusing a call, and no other way. */
function takesReason({ permissions }: Session, { requestId, optionId }: PermissionAnswer): boolean {
  const request = permissions.find((open) => open.requestId === requestId);
  const chosen = request?.options.find((option) => option.optionId === optionId);
  return request?.kind !== 'form' && chosen?.kind.startsWith('reject') === true;
}

/** Decisions from before the last restart are known only from the audit record. */
function wasClosed(failure: Failure, decisions: readonly PermissionDecision[], { requestId }: PermissionAnswer) {
  const isRecorded = decisions.some((decision) => decision.requestId === requestId);
  return failure.code === 'PERMISSION_NOT_FOUND' && isRecorded
    ? fail('PERMISSION_CLOSED', 'This request was already answered, or has ended.')
    : fail(failure.code, failure.message);
}
