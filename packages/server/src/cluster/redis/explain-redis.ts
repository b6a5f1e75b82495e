/** Streams with bounded length, scripts that look at the clock: 6.2 is what Debian 11 has. */
const oldestVersion = [6, 2] as const;

/** What is wrong between us and Redis, in a sentence a user can act on. The address never has its password in it. */
export function explainRedis(error: unknown, url: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const { code = '' } = (error ?? {}) as { code?: string };
  const where = safeAddress(url);
  if (message.startsWith('NOPERM')) {
    return `Redis at ${where} denies its user a required command (${message}). Grant access to keys "liminal:*", streams and scripts.`;
  }
  if (/unknown (redis )?command/i.test(message)) return lacksCommands(url, message);
  if (/^(WRONGPASS|NOAUTH)|invalid username-password|without any password configured/.test(message)) {
    return `Redis at ${where} rejected the user or password (${message}). Correct them in LIMINAL_REDIS_URL.`;
  }
  if (message.startsWith('OOM')) return `Redis at ${where} is out of memory. Raise maxmemory, or free some.`;
  if (isForeign(error)) {
    return `A "liminal:" key in Redis at ${where} has an unexpected type (${message}). Another program uses the same prefix. Use a different database number.`;
  }
  if (message.startsWith('NOGROUP')) return `Data was removed from Redis at ${where}. It is being restored.`;
  if (/^(READONLY|MISCONF|LOADING|MASTERDOWN)/.test(message))
    return `Redis at ${where} doesn't accept writes right now (${message}).`;
  if (message.includes('SSL') || code.includes('CERT') || code.startsWith('ERR_SSL')) {
    return `The TLS connection to Redis at ${where} failed (${message}). Check rediss:// and LIMINAL_REDIS_CA.`;
  }
  return `Redis at ${where} can't be reached (${code || message}). Check LIMINAL_REDIS_URL, and that Redis is running.`;
}

export const lacksCommands = (url: string, which: string): string =>
  `Redis at ${safeAddress(url)} lacks required commands (${which}). Use Redis ${oldestVersion.join('.')} or newer, with streams and scripts.`;

/** Redis answered, and said no; else the connection is gone, which its owner notices. */
export const isRefusal = (error: unknown): boolean => error instanceof Error && /^[A-Z]{2,} /.test(error.message);

/** Something of another program is where ours should be. */
export const isForeign = (error: unknown): boolean =>
  error instanceof Error && /WRONGTYPE|is not an integer/.test(error.message);

/** Host and port alone. */
export function safeAddress(url: string): string {
  try {
    return new URL(url).host || 'its address';
  } catch {
    return 'its address';
  }
}

/** Null when this Redis will do; `info` is what INFO answers. */
export function unfit(info: string): string | null {
  // Its keys would lie on several servers, and what changes together has to lie on one.
  if (/^redis_mode:cluster/m.test(info))
    return 'This Redis runs in cluster mode, which is not supported. Use a single Redis, with replicas if you like.';
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > oldestVersion[0] || (major === oldestVersion[0] && minor >= oldestVersion[1]);
  return isEnough ? null : `Redis ${oldestVersion.join('.')} or newer is required. This one is ${version}.`;
}

/** A Redis that throws away what it was not asked to may throw away ours; it is brought back, but readers start over. */
export function evicts(info: string): string | null {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
  const limit = /^maxmemory:(\d+)/m.exec(info)?.[1] ?? '0';
  return limit === '0' || policy === 'noeviction' ? null : policy;
}
