/**
 * One JSON message for several readers. All of them share this object, so its bytes and its compressed form are made
 * once.
 */
export class SharedFrame {
  readonly text: string;
  /** The encoded WebSocket frame, once a writer has made it. */
  bytes: Buffer | null = null;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** A JSON message, for one reader or several. */
export type Frame = string | SharedFrame;
