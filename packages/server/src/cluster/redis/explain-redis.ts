/** We need trimmed streams and scripts that read the clock. */
const oldestVersion = [6, 2] as const;

/** Explains a Redis problem so the user can act on it. The address never includes its password. */
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

/** Whether Redis answered with an error. Otherwise the connection is gone, and its owner notices that. */
export const isRefusal = (error: unknown): boolean => error instanceof Error && /^[A-Z]{2,} /.test(error.message);

/** Whether another program's data is under one of our keys. */
export const isForeign = (error: unknown): boolean =>
  error instanceof Error && /WRONGTYPE|is not an integer/.test(error.message);

/** Only host and port. */
export function safeAddress(url: string): string {
  try {
    return new URL(url).host || 'its address';
  } catch {
    return 'its address';
  }
}

/** Null if this Redis is suitable. `info` is the output of INFO. */
export function unfit(info: string): string | null {
  // In cluster mode our keys would be on several servers, but keys that change together must be on one.
  if (/^redis_mode:cluster/m.test(info))
    return 'This Redis runs in cluster mode, which is not supported. Use a single Redis, with replicas if you like.';
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > oldestVersion[0] || (major === oldestVersion[0] && minor >= oldestVersion[1]);
  return isEnough ? null : `Redis ${oldestVersion.join('.')} or newer is required. This one is ${version}.`;
}

/** The eviction policy, if this Redis may evict our keys. They are restored, but readers must start over. */
export function evicts(info: string): string | null {
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
  const limit = /^maxmemory:(\d+)/m.exec(info)?.[1] ?? '0';
  return limit === '0' || policy === 'noeviction' ? null : policy;
}
