import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';
import { opcodes, webSocketFrame } from './web-socket-frame.ts';

/** A client's decompression window. Clients that received the same messages share one object. */
export type DeflateContext = { readonly window: Buffer; readonly next: WeakMap<object, Deflated> };
/** The frame as sent over a socket, and the client's context after it. */
export type Deflated = { readonly bytes: Buffer; readonly context: DeflateContext };

/** The largest window the server announces, as a power of two. */
export const windowBits = 13;
/** The window actually used from one message to the next: more hardly helps, and is read again for each message. */
const windowBytes = 4 * 1024;
/** How many contexts to compare in search of one with the same window. */
const mostCompared = 16;
/** The empty block at the end, which senders omit and the client appends (RFC 7692, 7.2.1). */
const tailBytes = 4;

const contextOf = (window: Buffer): DeflateContext => ({ window, next: new WeakMap() });
/** Contexts after a frame: clients with different earlier messages converge to the same window after a while. */
const contextsAfter = new WeakMap<object, DeflateContext[]>();

/** The context of a new connection. */
export const emptyContext = contextOf(Buffer.alloc(0));

const optionsOf = (window: Buffer, length: number): ZlibOptions => ({
  level: 3,
  finishFlush: constants.Z_SYNC_FLUSH,
  // Each message has its own compressor: 32 KB for a short one instead of 96.
  ...(length <= windowBytes ? { windowBits: 12, memLevel: 5, chunkSize: 1024 } : { windowBits, memLevel: 7 }),
  ...(window.length > 0 && { dictionary: window }),
});

/** The window after a message: the end of everything sent so far. */
function windowAfter(window: Buffer, message: Buffer): Buffer {
  const kept = message.subarray(Math.max(0, message.length - windowBytes));
  const older = window.subarray(Math.max(0, window.length + kept.length - windowBytes));
  return Buffer.concat([older, kept]);
}

function contextAfter(frame: object, window: Buffer): DeflateContext {
  const known = contextsAfter.get(frame) ?? [];
  if (known.length === 0) contextsAfter.set(frame, known);
  const same = known.slice(-mostCompared).find((context) => context.window.equals(window));
  const context = same ?? contextOf(window);
  if (!same) known.push(context);
  return context;
}

function deflatedOf(context: DeflateContext, frame: object, message: Buffer, deflated: Buffer): Deflated {
  const length = deflated.length - tailBytes;
  const write = (target: Buffer, offset: number) => deflated.copy(target, offset, 0, length);
  const bytes = webSocketFrame(opcodes.text, length, write, true);
  return { bytes, context: contextAfter(frame, windowAfter(context.window, message)) };
}

/**
 * Compresses a message with a client's context. Clients with the same recent messages, such as readers of one session,
 * share the work: it is done once per `frame`.
 */
export function deflateShared(context: DeflateContext, frame: object, message: Buffer): Deflated {
  const known = context.next.get(frame);
  if (known) return known;
  const deflated = deflateRawSync(message, optionsOf(context.window, message.length));
  const made = deflatedOf(context, frame, message, deflated);
  context.next.set(frame, made);
  return made;
}

/** The same in another thread, for a message that would block the event loop for too long. */
export function deflateLong(
  context: DeflateContext,
  frame: object,
  message: Buffer,
  done: (error: Error | null, deflated: Deflated | null) => void,
): void {
  deflateRaw(message, optionsOf(context.window, message.length), (error, deflated) =>
    error ? done(error, null) : done(null, deflatedOf(context, frame, message, deflated)),
  );
}
