import type { Readable } from 'node:stream';
import type { ProcessCommand } from '../../processes/process-marker.ts';

export type PtySize = { readonly cols: number; readonly rows: number };

/** How a program in a terminal ended; `exitCode` is null when a signal ended it. */
export type PtyExit = { readonly exitCode: number | null; readonly signal?: string };

/** A program that believes it sits at a terminal. */
export type Pty = {
  /** Leads the process group of the terminal. */
  readonly pid: number;
  /** What the program prints, as raw bytes. Pausing it holds the program up; nothing is lost. */
  readonly output: Readable;
  readonly isRunning: boolean;
  /** False when it is not taken: the program is gone, or too much waits that it hasn't read. */
  write(data: string): boolean;
  /** Without effect once the program is gone. */
  resize(size: PtySize): void;
  /** Resolves once the program and all it started are gone and the output was read; never rejects. */
  readonly exited: Promise<PtyExit>;
  /** Ends the program and everything it started; resolves when nothing is left; never throws. */
  kill(): Promise<void>;
};

/** One way to get a pseudo-terminal on this system. */
export type PtyHost = {
  /** Rejects when the program or the folder isn't there. */
  open(command: ProcessCommand, size: PtySize): Promise<Pty>;
  /** Ends every terminal it opened. */
  close(): Promise<void>;
};

/** More waiting input than this is refused: a program that reads nothing must not fill the server's memory. */
export const maxWaitingInput = 1024 * 1024;
