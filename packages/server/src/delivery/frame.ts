/**
 * One message in JSON that goes to several readers: the same object for all of them, so what is made of it (its
 * bytes, its compressed form) is made once.
 */
export class SharedFrame {
  readonly text: string;
  /** Its bytes as they go over a socket, once somebody has made them. */
  bytes: Buffer | null = null;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** A message in JSON, for one reader or for several. */
export type Frame = string | SharedFrame;
