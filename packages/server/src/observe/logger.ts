import { pino, type Logger } from 'pino';

export type { Logger };

/** Logs go to stderr: stdout belongs to the one line that says where the server is. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      redact: { paths: ['token', 'req.headers.authorization', 'req.headers.cookie', '*.apiKey'], censor: '[secret]' },
    },
    pino.destination({ dest: 2, sync: false }),
  );
}
