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
  /** Called when something can be taken, to wake the pump. */
  readonly wake: () => void;
  readonly onError?: (error: unknown) => void;
};

export type Subscription = FrameSource & {
  /** False when no machine has this session. */
  start(cursor: Cursor | undefined): boolean;
};

/** One reader of one session: its history or missed changes first, then changes, never more than its limit waiting. */
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

  /** Ends the subscription and sends the reason, so the reader doesn't wait forever. */
  const end = (code: FailureCode, message: string): void => {
    session.stop();
    outbox.reset(0);
    opening = [JSON.stringify({ type: 'error', code, message, sessionId })];
  };

  const takeFrames = (budgetBytes: number): readonly Frame[] => {
    // A reader past its limit, or whose epoch has ended, starts over from a history.
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

/** The JSON of one message. A change belongs to one session and epoch, so all its readers share the frame. */
function frameOf(sessionId: string, epoch: string, message: OutboundMessage): Frame {
  if (!message.change) return textOf(sessionId, epoch, message);
  const made = (message.frame ??= new SharedFrame(textOf(sessionId, epoch, message)));
  return made as SharedFrame;
}

const textOf = (sessionId: string, epoch: string, { type, seq, payload }: OutboundMessage): string =>
  JSON.stringify({ type, sessionId, epoch, seq, payload });

const wholeFrame = (message: SessionMessage): string => JSON.stringify(message);
