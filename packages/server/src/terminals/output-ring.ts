import { initialModes, modesAfter, modesText } from '@liminal/domain/terminal/terminal-modes';

/** The last of what a terminal printed, by the number of bytes printed before. */
export type OutputRing = {
  /** The first byte that is kept. */
  readonly start: number;
  /** One past the last byte. */
  readonly end: number;
  push(bytes: Buffer): void;
  /** At most so many bytes from there on, until the next push; empty at the end. */
  read(from: number, max: number): Buffer;
  /** Where a reader that has nothing may begin without cutting a line in two. */
  replayFrom(): number;
  /** What brings an empty screen into the modes at `start`. */
  modes(): string;
};

const smallest = 16 * 1024;
const newline = 0x0a;
const escape = 0x1b;

/** Keeps at least `keep` bytes once there are as many, and at most twice that. */
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
    // Most output sets no modes: looking for one byte is many times faster than reading text.
    if (modes.cut !== '' || older.includes(escape)) modes = modesAfter(modes, older.toString('latin1'));
    start += older.length;
    // What much output needs is allocated twice and then used again.
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
