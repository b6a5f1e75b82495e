/** What this code needs of a logger; pino fits. */
export type ProcessLog = {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};
