import type { Cursor, Encoding, FailureCode, SessionMessage } from '@liminal/contracts';
import type { OutboundMessage } from '@liminal/domain/delivery/change';
import { createOutbox } from '@liminal/domain/delivery/outbox';
import type { CatchUp, SessionBus } from '../bus/session-bus.ts';
import { followSession } from './follow-session.ts';
import { type Frame, SharedFrame } from './frame.ts';
import type { FrameSource } from './pump.ts';

export type SubscriptionDeps = {
  readonly sessionId: string;
  readonly encoding: Encoding;
  readonly bus: SessionBus;
  readonly maxBytes: number;
  /** Something can be taken: the pump should come by. */
  readonly wake: () => void;
  readonly onError?: (error: unknown) => void;
};

export type Subscription = FrameSource & {
  /** False when nobody has this session here. */
  start(cursor: Cursor | undefined): boolean;
};

/** One reader of one session: its history or what it missed first, then changes, never more than its limit waiting. */
export function createSubscription(deps: SubscriptionDeps): Subscription {
  const { sessionId, encoding, bus, maxBytes, wake, onError } = deps;
  const outbox = createOutbox({ encoding, maxBytes });
  let opening: Frame[] = [];
  let unanswered: Cursor | undefined;
  let epoch = '';
  const session = followSession({
    sessionId,
    bus,
    outbox,
    wake,
    push(changes) {
      for (const change of changes) outbox.push(change);
    },
  });

  const open = (start: CatchUp): void => {
    ({ epoch } = start);
    opening = [];
    if (unanswered) {
      const verdict = start.verdict === 'ok' ? 'ok' : 'gap';
      opening.push(wholeFrame({ type: 'session:resumed', sessionId, ...unanswered, verdict }));
    }
    if (start.verdict === 'ok') {
      for (const change of start.changes) outbox.push(change);
      return;
    }
    outbox.reset(start.seq);
    const stamp = { sessionId, epoch, seq: start.seq };
    opening.push(wholeFrame({ type: 'session:history', ...stamp, ...start.history }));
  };

  /** Nothing more can come: the reader gets the reason instead of waiting forever. */
  const end = (code: FailureCode, message: string): void => {
    session.stop();
    outbox.reset(0);
    opening = [JSON.stringify({ type: 'error', code, message, sessionId })];
  };

  const takeFrames = (budgetBytes: number): readonly Frame[] => {
    // A reader that fell behind its limit, or whose numbering is gone, starts over from a history.
    if (session.mustStartOver() && !session.begin(undefined, open)) {
      end('SESSION_NOT_FOUND', 'This session was deleted.');
    }
    const changes = outbox.take(budgetBytes).map((message) => frameOf(sessionId, epoch, message));
    return opening.length > 0 ? [...opening, ...changes] : changes;
  };

  return {
    start(cursor) {
      unanswered = cursor;
      return session.begin(cursor, open);
    },
    take(budgetBytes) {
      try {
        return takeFrames(budgetBytes);
      } catch (error) {
        onError?.(error);
        end('INTERNAL_ERROR', "This session can't be read. The server's log has the details.");
        return opening;
      } finally {
        opening = [];
        unanswered = undefined;
      }
    },
    get ready() {
      return opening.length > 0 || outbox.ready || session.mustStartOver();
    },
    get holding() {
      return outbox.holding;
    },
    flushHeld: () => outbox.flushHeld(),
    stop: session.stop,
  };
}

/** The JSON of one message, made once for all its readers: a change belongs to one session and one epoch. */
function frameOf(sessionId: string, epoch: string, message: OutboundMessage): Frame {
  if (!message.change) return textOf(sessionId, epoch, message);
  const made = (message.frame ??= new SharedFrame(textOf(sessionId, epoch, message)));
  return made as SharedFrame;
}

const textOf = (sessionId: string, epoch: string, { type, seq, payload }: OutboundMessage): string =>
  JSON.stringify({ type, sessionId, epoch, seq, payload });

const wholeFrame = (message: SessionMessage): string => JSON.stringify(message);
