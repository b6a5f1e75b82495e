import { initialModes, modesAfter, modesText } from '@liminal/domain/terminal/terminal-modes';

/** The end of a terminal's output, addressed by byte offset from its start. */
export type OutputRing = {
  /** The offset of the first byte kept. */
  readonly start: number;
  /** The offset after the last byte. */
  readonly end: number;
  push(bytes: Buffer): void;
  /** At most this many bytes from there on. Valid until the next push. Empty at the end. */
  read(from: number, max: number): Buffer;
  /** Where a new reader can start without splitting a line. */
  replayFrom(): number;
  /** The sequence that sets an empty screen to the modes at `start`. */
  modes(): string;
};

const smallest = 16 * 1024;
const newline = 0x0a;
const escape = 0x1b;

/** Keeps at least the last `keep` bytes, and at most twice as many. */
export function createOutputRing(keep: number): OutputRing {
  let older = Buffer.alloc(0);
  let newer = Buffer.alloc(Math.min(smallest, keep));
  let length = 0;
  let start = 0;
  let modes = initialModes;

  const grow = (): void => {
    const larger = Buffer.alloc(Math.min(newer.length * 2, keep));
    newer.copy(larger, 0, 0, length);
    newer = larger;
  };
  const dropOlder = (): void => {
    // Most output sets no modes. Searching for one byte is many times faster than decoding text.
    if (modes.cut !== '' || older.includes(escape)) modes = modesAfter(modes, older.toString('latin1'));
    start += older.length;
    // Two buffers are allocated and then reused, even for endless output.
    const free = older.length === keep ? older : Buffer.alloc(Math.min(smallest, keep));
    older = newer;
    newer = free;
    length = 0;
  };
  const slice = (from: number, max: number): Buffer => {
    const place = from - start;
    return place < older.length
      ? older.subarray(place, Math.min(place + max, older.length))
      : newer.subarray(place - older.length, Math.min(place - older.length + max, length));
  };

  return {
    get start() {
      return start;
    },
    get end() {
      return start + older.length + length;
    },
    push(bytes) {
      for (let taken = 0; taken < bytes.length;) {
        if (length === keep) dropOlder();
        while (newer.length < keep && newer.length - length < bytes.length - taken) grow();
        const copied = bytes.copy(newer, length, taken);
        length += copied;
        taken += copied;
      }
    },
    read: slice,
    replayFrom() {
      if (start === 0) return 0;
      const line = slice(start, keep).indexOf(newline);
      return line < 0 ? start : start + line + 1;
    },
    modes: () => modesText(modes),
  };
}
