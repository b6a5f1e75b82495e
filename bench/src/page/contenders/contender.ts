import type { Page } from 'playwright-core';

/** A program for using Claude Code in a browser: ours, or an alternative. */
export type Contender = {
  readonly name: string;
  /** The address that a new browser opens. */
  readonly url: string;
  /** The process of its server; changes after a restart. */
  pid(): number;
  /** The folder the agents work in. */
  readonly folder: string;
  /** Where the page shows what. */
  readonly signs: Signs;
  /** Everything sent over the network to its pages so far, over all connections. */
  bytesSent(): number;
  /** A page with a new session, ready for a message; of Claude Code by default. */
  newSession(agent?: string): Promise<Page>;
  /**
   * Another browser on its first page, with a message written to a new session with as few clicks as possible; Enter
   * sends it.
   */
  begin(message: string): Promise<Begun>;
  /** Fills in a message; Enter sends it. */
  write(page: Page, message: string): Promise<void>;
  /** The Claude Code process that answers in the newest session. */
  agent(): number;
  /** Adds a session that Claude Code stored to the list, if it isn't listed automatically. */
  list(sessionId: string): Promise<void>;
  /** Another browser on its first page, with the list visible. */
  visit(): Promise<Page>;
  /** Kills the server, and starts it again with the same data and address. */
  killServer(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A page with a message that only has to be sent. */
export type Begun = {
  readonly page: Page;
  /** When the first page was ready to use. */
  readonly shownAt: number;
  readonly clicks: number;
};

/** Where a page shows something, by CSS selector, and the text it shows. */
export type Signs = {
  /** The messages of the visible session, and the user's own among them. */
  readonly log: string;
  readonly own: string;
  /** The text for an agent that died, and for a server that is gone. */
  readonly agentDied: RegExp;
  readonly serverLost: RegExp;
  /** The permission request, and the answer that is remembered. */
  readonly asks: { readonly within: string; readonly words: RegExp };
  readonly remember: RegExp;
};
