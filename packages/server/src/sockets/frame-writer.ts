import type { Duplex } from 'node:stream';
import { type Frame, SharedFrame } from '../delivery/frame.ts';
import { type DeflateContext, type Deflated, deflateLong, deflateShared, emptyContext } from './shared-deflate.ts';
import { binaryFrame } from './binary-frames.ts';
import { joinFrames, type WaitingFrame } from './join-frames.ts';
import { opcodes, webSocketFrame } from './web-socket-frame.ts';
import type { SocketWire } from './socket-session.ts';

export type Compression = {
  /** The client asked for no context takeover: no message may refer to an earlier one. */
  readonly forgets: boolean;
};

export type FrameWriterDeps = {
  readonly stream: Duplex;
  /** Null when the client doesn't decompress. */
  readonly compression: Compression | null;
  readonly isOpen: () => boolean;
  readonly onError: (error: unknown) => void;
};

/** Shorter messages are sent uncompressed. */
const shortestCompressed = 128;
/** Longer ones are compressed in another thread. */
const longestAtOnce = 32 * 1024;

type Done = (() => void) | undefined;

function plainOf(frame: SharedFrame): Buffer {
  const { text } = frame;
  return (frame.bytes ??= webSocketFrame(opcodes.text, Buffer.byteLength(text), (target, offset) =>
    target.write(text, offset),
  ));
}

/** The payload of a frame, without its header. */
function messageOf(plain: Buffer): Buffer {
  const short = (plain[1] ?? 0) & 0x7f;
  return plain.subarray(short === 126 ? 4 : short === 127 ? 10 : 2);
}

/** Writes messages to one client in order. A message for several clients is encoded and compressed once. */
export function createFrameWriter({ stream, compression, isOpen, onError }: FrameWriterDeps): SocketWire {
  let context: DeflateContext = emptyContext;
  let isCompressing = false;
  let gathered: WaitingFrame[] | null = null;
  let gatheredBytes = 0;
  const queue: { run: () => void; bytes: number }[] = [];
  let queuedBytes = 0;
  let onDrain: (() => void) | null = null;

  const write = (bytes: Buffer, done: Done): void => {
    if (gathered) {
      gathered.push({ bytes, done });
      gatheredBytes += bytes.length;
    } else if (isOpen()) stream.write(bytes, done);
    else done?.();
  };
  const drained = (): void => {
    const listener = onDrain;
    onDrain = null;
    listener?.();
  };
  stream.on('drain', drained);

  /** A client that misses one message can't decompress the next. */
  const fail = (error: Error | null): void => {
    onError(error);
    stream.destroy();
  };
  const compressLong = (frame: SharedFrame, message: Buffer, done: Done): void => {
    isCompressing = true;
    queuedBytes += message.length;
    deflateLong(context, frame, message, (error, deflated) => {
      isCompressing = false;
      queuedBytes -= message.length;
      if (!deflated) return fail(error);
      compressed(deflated, done);
      wire.together?.(() => {
        while (!isCompressing && queue.length > 0) {
          const next = queue.shift();
          queuedBytes -= next?.bytes ?? 0;
          next?.run();
        }
      });
      if (!stream.writableNeedDrain) drained();
    });
  };
  const compressed = (deflated: Deflated, done: Done): void => {
    if (!compression?.forgets) ({ context } = deflated);
    write(deflated.bytes, done);
  };
  const writeText = (frame: SharedFrame, done: Done): void => {
    const plain = plainOf(frame);
    if (!compression || plain.length < shortestCompressed) return write(plain, done);
    const message = messageOf(plain);
    if (message.length > longestAtOnce) compressLong(frame, message, done);
    else compressed(deflateShared(context, frame, message), done);
  };
  /** While a long message is being compressed, later writes wait for it. */
  const inOrder = (bytes: number, run: () => void): void => {
    if (!isCompressing) return run();
    queue.push({ run, bytes });
    queuedBytes += bytes;
  };

  const wire: SocketWire = {
    send(given: Frame, done) {
      if (!isOpen()) return done?.();
      const frame = typeof given === 'string' ? new SharedFrame(given) : given;
      if (isCompressing) inOrder(frame.text.length, () => writeText(frame, done));
      else writeText(frame, done);
    },
    // Uncompressed: compressing terminal output takes longer than sending it.
    sendBytes(...parts) {
      if (!isOpen()) return;
      const { bytes, release } = binaryFrame(parts);
      inOrder(bytes.length, () => write(bytes, release));
    },
    waiting: () => stream.writableLength + queuedBytes + gatheredBytes,
    whenDrained(listener) {
      onDrain = listener;
    },
    together(sendAll) {
      if (gathered) return sendAll();
      gathered = [];
      try {
        sendAll();
      } finally {
        const all = joinFrames(gathered);
        gathered = null;
        gatheredBytes = 0;
        if (all.length > 1) stream.cork();
        for (const { bytes, done } of all) write(bytes, done);
        if (all.length > 1) stream.uncork();
      }
    },
  };
  return wire;
}
