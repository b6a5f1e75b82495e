/** The longest line an agent may send. */
export const maxLineBytes = 32 * 1024 * 1024;

export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';

  constructor(limit: number) {
    super(`The agent sent a line of more than ${limit} bytes`);
  }
}

const newline = 0x0a;

/** Detects a line that is too long in a stream of bytes, without buffering any of it. */
export function createLineLimit(limit: number) {
  let length = 0;
  let isOver = false;
  return {
    get isOver() {
      return isOver;
    },
    /** False from the first line that is too long. */
    pass(bytes: Uint8Array): boolean {
      let from = 0;
      for (let at = bytes.indexOf(newline); at !== -1 && !isOver; at = bytes.indexOf(newline, from)) {
        isOver = length + (at - from) > limit;
        length = 0;
        from = at + 1;
      }
      length += bytes.length - from;
      isOver ||= length > limit;
      return !isOver;
    },
  };
}
