/** The end of a stream of text in UTF-8. */
export type ByteTail = {
  push(bytes: Uint8Array): void;
  /** At most the last `limit` bytes, without half a character at the beginning. */
  read(): string;
  /** There was more than is kept. */
  isCut(): boolean;
};

/** Pieces are joined when there are this many: a command that prints single bytes must not cost a list of them. */
const mostPieces = 1024;

/** A piece costs what it brings: what is no longer needed is let go piece by piece, and joined when it is read. */
export function createByteTail(limit: number): ByteTail {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let isCut = false;

  const join = (): Buffer => {
    const all = Buffer.concat(pieces, held);
    // A copy, because a part of it would keep the whole in memory.
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
      // A byte that goes on a character begins with the bits 10.
      while (isCut && from < bytes.length && ((bytes[from] ?? 0) & 0b1100_0000) === 0b1000_0000) from += 1;
      return bytes.toString('utf8', from);
    },
    isCut: () => isCut,
  };
}
