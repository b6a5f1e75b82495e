import { constants, deflateRaw, deflateRawSync, type ZlibOptions } from 'node:zlib';
import { opcodes, webSocketFrame } from './web-socket-frame.ts';

/** What a client's decompressor remembers of what it was sent; the same object for all clients that were sent the same. */
export type DeflateContext = { readonly window: Buffer; readonly next: WeakMap<object, Deflated> };
/** The frame as it goes over a socket, and what the client remembers after it. */
export type Deflated = { readonly bytes: Buffer; readonly context: DeflateContext };

/** What the server says it looks back at most, as a power of two. */
export const windowBits = 13;
/** What it does look back from one message to the next: more hardly helps, and is read again for each message. */
const windowBytes = 4 * 1024;
/** Of those that were sent different things before, so many are looked at for one that now remembers the same. */
const mostCompared = 16;
/** An empty block at the end, which is left out: the client puts it back (RFC 7692, 7.2.1). */
const tailBytes = 4;

const contextOf = (window: Buffer): DeflateContext => ({ window, next: new WeakMap() });
/** What clients remember after a frame: some were sent other things before it, and after a while it makes no difference. */
const contextsAfter = new WeakMap<object, DeflateContext[]>();

/** Where every connection begins. */
export const emptyContext = contextOf(Buffer.alloc(0));

const optionsOf = (window: Buffer, length: number): ZlibOptions => ({
  level: 3,
  finishFlush: constants.Z_SYNC_FLUSH,
  // Each message has a compressor of its own: a short one gets one of 32 KB, and not of 96.
  ...(length <= windowBytes ? { windowBits: 12, memLevel: 5, chunkSize: 1024 } : { windowBits, memLevel: 7 }),
  ...(window.length > 0 && { dictionary: window }),
});

/** The window behind a message: the end of what was said so far. */
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
 * Compresses a message behind what a client has been sent. Clients that were sent the same of late, as readers of one
 * session are, share the work: it is done once for each `frame`.
 */
export function deflateShared(context: DeflateContext, frame: object, message: Buffer): Deflated {
  const known = context.next.get(frame);
  if (known) return known;
  const deflated = deflateRawSync(message, optionsOf(context.window, message.length));
  const made = deflatedOf(context, frame, message, deflated);
  context.next.set(frame, made);
  return made;
}

/** The same in another thread, for a message so long that everybody else would wait for it. */
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
