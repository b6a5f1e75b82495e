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
    stderr(),
  );
}

/**
 * A log that can't be written, for example to a full disk, must not disturb the server. Each line tries again. Lines
 * beyond the limit are dropped.
 */
function stderr(): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: 2, sync: false, maxLength: 1 << 20 });
  let isFailing = false;
  destination.on('error', () => (isFailing = true));
  destination.on('write', () => (isFailing = false));
  const flushSync = destination.flushSync.bind(destination);
  // Runs at exit, and repeats a failing write forever.
  destination.flushSync = () => (isFailing ? undefined : flushSync());
  return destination;
}

const readable = (error: Error): unknown => {
  const said: unknown = stdSerializers.err(error);
  const isError = typeof said === 'object' && said !== null && 'stack' in said && typeof said.stack === 'string';
  return isError ? { ...said, stack: originalStack(said.stack as string) } : said;
};
