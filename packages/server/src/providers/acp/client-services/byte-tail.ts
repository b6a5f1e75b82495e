/** The end of a UTF-8 text stream. */
export type ByteTail = {
  push(bytes: Uint8Array): void;
  /** At most the last `limit` bytes, without a partial character at the start. */
  read(): string;
  /** Whether older output was dropped. */
  isCut(): boolean;
};

/** Pieces are joined at this count, so a command that prints single bytes doesn't create a huge list. */
const mostPieces = 1024;

/** Adding a piece costs only its own length: old pieces are dropped one by one, and joined when read. */
export function createByteTail(limit: number): ByteTail {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let isCut = false;

  const join = (): Buffer => {
    const all = Buffer.concat(pieces, held);
    // A copy, because a slice would keep the whole buffer in memory.
    const kept = held > limit ? Buffer.from(all.subarray(held - limit)) : all;
    pieces = [kept];
    held = kept.length;
    return kept;
  };

  return {
    push(bytes) {
      if (bytes.length === 0) return;
      pieces.push(bytes);
      held += bytes.length;
      isCut ||= held > limit;
      let gone = 0;
      for (let first = pieces[gone]; first && held - first.length >= limit; first = pieces[gone]) {
        held -= first.length;
        gone += 1;
      }
      if (gone > 0) pieces = pieces.slice(gone);
      if (pieces.length > mostPieces) join();
    },
    read() {
      const bytes = join();
      let from = 0;
      // Continuation bytes of a UTF-8 character start with the bits 10.
      while (isCut && from < bytes.length && ((bytes[from] ?? 0) & 0b1100_0000) === 0b1000_0000) from += 1;
      return bytes.toString('utf8', from);
    },
    isCut: () => isCut,
  };
}
