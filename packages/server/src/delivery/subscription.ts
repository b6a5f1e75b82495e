import type { Cursor, Encoding, FailureCode, SessionMessage } from '@liminal/contracts';
import { createOutbox, type OutboundMessage } from '@liminal/domain/delivery/outbox';
import type { CatchUp, SessionBus } from '../bus/session-bus.ts';
import { followSession } from './follow-session.ts';
import type { FrameSource } from './pump.ts';
import type { Change } from '@liminal/domain/delivery/change';

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
  let opening: string[] = [];
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

  /** Nothing more can come: the reader is told why, instead of waiting for ever. */
  const end = (code: FailureCode, message: string): void => {
    session.stop();
    outbox.reset(0);
    opening = [JSON.stringify({ type: 'error', code, message, sessionId })];
  };

  const takeFrames = (budgetBytes: number): string[] => {
    // A reader that fell behind its limit, or whose numbering is gone, starts over from a history.
    if (session.mustStartOver() && !session.begin(undefined, open)) {
      end('SESSION_NOT_FOUND', 'This session was deleted.');
    }
    const frames = outbox.take(budgetBytes).map((message) => frameOf(sessionId, epoch, message));
    return opening.length > 0 ? [...opening, ...frames] : frames;
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

type Encoded = { upsert?: string; append?: string };

/** One change often goes to several readers: its payload is turned into JSON once. */
const encoded = new WeakMap<Change, Encoded>();

/** The JSON of one message; built by hand around the shared payload, which is nearly all of it. */
function frameOf(sessionId: string, epoch: string, message: OutboundMessage): string {
  const head = `{"type":"${message.type}","sessionId":${JSON.stringify(sessionId)},"epoch":${JSON.stringify(epoch)},"seq":${message.seq},"payload":`;
  return `${head}${payloadJson(message)}}`;
}

function payloadJson(message: OutboundMessage): string {
  if (!message.change) return JSON.stringify(message.payload);
  let known = encoded.get(message.change);
  if (!known) encoded.set(message.change, (known = {}));
  const kind = message.type === 'session:append' ? 'append' : 'upsert';
  return (known[kind] ??= JSON.stringify(message.payload));
}

const wholeFrame = (message: SessionMessage): string => JSON.stringify(message);
