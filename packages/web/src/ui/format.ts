/** "820 ms", "3.2 s", "34 s", "2 min 5 s", "1 h 4 min": short, and never more exact than useful. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 950) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Elapsed time that updates live: whole seconds, no jitter in the last digit. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}

/** "950", "12.4k", "1.3M". */
export function formatCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${trimZero((count / 1000).toFixed(1))}k`;
  return `${trimZero((count / 1_000_000).toFixed(1))}M`;
}

const trimZero = (text: string): string => text.replace(/\.0$/, '');

/** "$0.04"; less than a cent keeps its first digits, so it doesn't look free. */
export function formatCost(usd: number): string {
  if (usd === 0) return '$0.00';
  return usd < 0.01 ? `$${usd.toPrecision(1)}` : `$${usd.toFixed(2)}`;
}

/** "1 file", "2 files". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** How long ago, for lists: "now", "5 min", "3 h", "2 d", then the date; the year only if it is another one. */
export function formatAgo(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (Number.isNaN(minutes)) return '';
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / (24 * 60))} d`;
  const date = new Date(iso);
  return (date.getFullYear() === new Date(now).getFullYear() ? day : dayOfYear).format(date);
}

/** "820 B", "12 KB", "1.3 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  return `${trimZero((bytes / 1_000_000).toFixed(1))} MB`;
}

/** The length of a time window: "5-hour", "Weekly", "30-day". */
export function formatWindow(minutes: number): string {
  if (minutes === 7 * 24 * 60) return 'Weekly';
  if (minutes === 24 * 60) return 'Daily';
  if (minutes % (24 * 60) === 0) return `${minutes / (24 * 60)}-day`;
  return minutes % 60 === 0 ? `${minutes / 60}-hour` : `${minutes}-minute`;
}

/** The time until something: "in 40 min", "in 2 h", "in 3 d"; "now" once it is past. */
export function formatUntil(iso: string, now: number): string {
  const minutes = Math.ceil((Date.parse(iso) - now) / 60_000);
  if (Number.isNaN(minutes) || minutes <= 0) return 'now';
  if (minutes < 60) return `in ${minutes} min`;
  if (minutes < 48 * 60) return `in ${Math.round(minutes / 60)} h`;
  return `in ${Math.round(minutes / (24 * 60))} d`;
}
