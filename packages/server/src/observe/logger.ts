import { pino, stdSerializers, type Logger } from 'pino';
import { originalStack } from './original-stack.ts';

export type { Logger };

/** Logs go to stderr, because stdout is for the line with the server's address. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: readable },
      redact: { paths: ['token', 'req.headers.authorization', 'req.headers.cookie', '*.apiKey'], censor: '[secret]' },
    },
    pino.destination({ dest: 2, sync: false }),
  );
}

const readable = (error: Error): unknown => {
  const said: unknown = stdSerializers.err(error);
  const isError = typeof said === 'object' && said !== null && 'stack' in said && typeof said.stack === 'string';
  return isError ? { ...said, stack: originalStack(said.stack as string) } : said;
};
