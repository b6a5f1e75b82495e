import type { Page } from 'playwright-core';

/** A program in which a person talks to Claude Code in a browser: ours, and what people would pick instead. */
export type Contender = {
  readonly name: string;
  /** What a browser opens that was never here. */
  readonly url: string;
  readonly port: number;
  /** The process that serves it. */
  readonly pid: number;
  /** A page with a new session of Claude Code, ready to be written to. */
  newSession(): Promise<Page>;
  /** Puts a message where one writes; Enter sends it. */
  write(page: Page, message: string): Promise<void>;
  stop(): Promise<void>;
};
