import type { Readable } from 'node:stream';
import type { ProcessCommand } from '../../processes/process-marker.ts';

export type PtySize = { readonly cols: number; readonly rows: number };

/** How a program in a terminal ended. `exitCode` is null if a signal ended it. */
export type PtyExit = { readonly exitCode: number | null; readonly signal?: string };

/** A program that runs in a terminal. */
export type Pty = {
  /** The leader of the terminal's process group. */
  readonly pid: number;
  /** The program's output as raw bytes. Pausing it blocks the program, and nothing is lost. */
  readonly output: Readable;
  readonly isRunning: boolean;
  /** False if it isn't accepted: the program is gone, or too much input is pending. */
  write(data: string): boolean;
  /** No effect after the program has ended. */
  resize(size: PtySize): void;
  /** Resolves when the program and everything it started are gone and the output was read. Never rejects. */
  readonly exited: Promise<PtyExit>;
  /** Ends the program and everything it started. Resolves when nothing is left, and never throws. */
  kill(): Promise<void>;
};

/** One way to open pseudo-terminals on this system. */
export type PtyHost = {
  /** Rejects if the program or the folder doesn't exist. */
  open(command: ProcessCommand, size: PtySize): Promise<Pty>;
  /** Ends every terminal it opened. */
  close(): Promise<void>;
};

/** Pending input beyond this is refused, so a program that reads nothing can't fill the server's memory. */
export const maxWaitingInput = 1024 * 1024;
