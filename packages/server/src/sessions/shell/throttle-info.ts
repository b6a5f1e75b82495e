import type { SessionInfo } from '@liminal/contracts';
import { sameValue } from '@liminal/domain/timeline/same-value';

export type ThrottleInfoDeps = {
  /** What readers already have. */
  readonly published: SessionInfo;
  readonly publish: (info: SessionInfo) => void;
  /** Runs a due publication in order with the session's other tasks. */
  readonly post: (task: () => void) => void;
};

export type InfoThrottle = {
  put(info: SessionInfo): void;
  /** Publishes waiting info now: the turn has ended, and its numbers are final. */
  flush(): void;
  stop(): void;
};

const everyMs = 1_000;

/**
 * Running numbers change with every step of an agent, and each change carries the full info with its lists of models
 * and commands. So they are published at most once a second, the newest last; anything else immediately.
 */
export function throttleInfo({ published: first, publish, post }: ThrottleInfoDeps): InfoThrottle {
  let published = first;
  let waiting: SessionInfo | null = null;
  let timer: NodeJS.Timeout | null = null;

  const send = (info: SessionInfo): void => {
    waiting = null;
    published = info;
    timer ??= setTimeout(() => post(due), everyMs).unref();
    publish(info);
  };
  const due = (): void => {
    timer = null;
    if (waiting) send(waiting);
  };

  return {
    put(info) {
      if (sameValue(info, published)) waiting = null;
      else if (timer && sameValue(withoutNumbers(info), withoutNumbers(published))) waiting = info;
      else send(info);
    },
    flush() {
      if (waiting) send(waiting);
    },
    stop() {
      if (timer) clearTimeout(timer);
      timer = waiting = null;
    },
  };
}

const numbers: ReadonlySet<string> = new Set<keyof SessionInfo>([
  'turnUsage',
  'sessionUsage',
  'sessionCostUsd',
  'context',
]);

function withoutNumbers(info: SessionInfo): unknown {
  return Object.fromEntries(Object.entries(info).filter(([name]) => !numbers.has(name)));
}
