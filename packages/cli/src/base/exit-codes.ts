/** The exit codes of commands. Scripts rely on them: they are documented and never change. */
export const exitCodes = {
  done: 0,
  /** The command failed: no server, not found, refused. */
  failed: 1,
  /** The command wasn't understood. */
  usage: 2,
  /** The session waits for an answer. */
  waiting: 3,
  /** The turn failed or was stopped. */
  turnFailed: 4,
  /** The time of --timeout is over. */
  time: 124,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
