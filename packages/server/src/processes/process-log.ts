/** The part of a logger that this code needs. pino fits. */
export type ProcessLog = {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};
