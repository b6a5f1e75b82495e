/**
 * Counts the messages in a stream of WebSocket frames, given in pieces, without reading their contents: the cheapest
 * possible reader, so the sender is what is measured.
 */
export function createFrameCount(onMessage: () => void): (piece: Buffer) => void {
  let skip = 0;
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    let at = 0;
    let buffer = piece;
    if (rest.length > 0) {
      buffer = Buffer.concat([rest, piece]);
      rest = Buffer.alloc(0);
    }
    while (at < buffer.length) {
      if (skip > 0) {
        const step = Math.min(skip, buffer.length - at);
        skip -= step;
        at += step;
        continue;
      }
      const header = readHeader(buffer, at);
      if (!header) {
        rest = buffer.subarray(at);
        return;
      }
      if (header.endsMessage) onMessage();
      at += header.length;
      skip = header.payload;
    }
  };
}

/** Null until the header is complete. A server's frames have no mask. */
function readHeader(buffer: Buffer, at: number): { length: number; payload: number; endsMessage: boolean } | null {
  const [first, second] = [buffer[at], buffer[at + 1]];
  if (first === undefined || second === undefined) return null;
  const short = second & 0x7f;
  const length = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (buffer.length - at < length) return null;
  const payload =
    short === 126 ? buffer.readUInt16BE(at + 2) : short === 127 ? Number(buffer.readBigUInt64BE(at + 2)) : short;
  const isControl = (first & 0x08) !== 0;
  return { length, payload, endsMessage: !isControl && (first & 0x80) !== 0 };
}
