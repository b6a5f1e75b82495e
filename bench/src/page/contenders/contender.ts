import type { Page } from 'playwright-core';

/** A program in which a user talks to Claude Code in a browser: ours, and what people would pick instead. */
export type Contender = {
  readonly name: string;
  /** What a browser opens that was never here. */
  readonly url: string;
  /** The process that serves it; another one after a restart. */
  pid(): number;
  /** The folder the agents work in. */
  readonly folder: string;
  /** Where it says what. */
  readonly signs: Signs;
  /** Everything that went over the network to its pages so far, over all connections, as it went. */
  bytesSent(): number;
  /** A page with a new session, ready to be written to; of Claude Code unless another agent is named. */
  newSession(agent?: string): Promise<Page>;
  /**
   * Another browser at its first page, in which a message is written to a new session with as few clicks as there can
   * be; Enter sends it.
   */
  begin(message: string): Promise<Begun>;
  /** Puts a message where one writes; Enter sends it. */
  write(page: Page, message: string): Promise<void>;
  /** The process of Claude Code that answers in the newest session. */
  agent(): number;
  /** Puts a session that Claude Code kept into the list, where it is not there by itself. */
  list(sessionId: string): Promise<void>;
  /** Another browser at its first page, with the list in sight. */
  visit(): Promise<Page>;
  /** Kills the server, and starts it again with the same data and address. */
  killServer(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A message that only has to be sent. */
export type Begun = {
  readonly page: Page;
  /** When the first page was there to be used. */
  readonly shownAt: number;
  readonly clicks: number;
};

/** Where a page shows something, by CSS, and the words it has for it. */
export type Signs = {
  /** The messages of the session in sight, and those among them that are the user's own. */
  readonly log: string;
  readonly own: string;
  /** What it says of an agent that died, and what it may say of a server that is gone. */
  readonly agentDied: RegExp;
  readonly serverLost: RegExp;
  /** What asks the user, and the answer that is kept for the next time. */
  readonly asks: { readonly within: string; readonly words: RegExp };
  readonly remember: RegExp;
};
