/** What a command ends with. Scripts rely on these: they are part of the documentation, and never change. */
export const exitCodes = {
  done: 0,
  /** The command couldn't be carried out: no server, not found, refused. */
  failed: 1,
  /** The command was not understood. */
  usage: 2,
  /** The session waits for an answer. */
  waiting: 3,
  /** The turn failed or was stopped. */
  turnFailed: 4,
  /** The time given with --timeout is over. */
  time: 124,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
