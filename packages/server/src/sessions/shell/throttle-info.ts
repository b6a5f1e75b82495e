import type { SessionInfo } from '@liminal/contracts';
import { sameValue } from '@liminal/domain/timeline/same-value';

export type InfoPaceDeps = {
  /** What readers hold already. */
  readonly told: SessionInfo;
  readonly publish: (info: SessionInfo) => void;
  /** Runs what has come due in its place among the other things of the session. */
  readonly post: (task: () => void) => void;
};

export type InfoPace = {
  put(info: SessionInfo): void;
  /** What waits is told now: the turn has ended, and its numbers are final. */
  flush(): void;
  stop(): void;
};

const everyMs = 1_000;

/**
 * Running numbers change with every step of an agent, and each telling carries the whole info with its lists of models
 * and commands. So they are told at most once a second, the newest at the end; anything else at once.
 */
export function createInfoPace({ told: first, publish, post }: InfoPaceDeps): InfoPace {
  let told = first;
  let waiting: SessionInfo | null = null;
  let timer: NodeJS.Timeout | null = null;

  const tell = (info: SessionInfo): void => {
    waiting = null;
    told = info;
    timer ??= setTimeout(() => post(due), everyMs).unref();
    publish(info);
  };
  const due = (): void => {
    timer = null;
    if (waiting) tell(waiting);
  };

  return {
    put(info) {
      if (sameValue(info, told)) waiting = null;
      else if (timer && sameValue(withoutNumbers(info), withoutNumbers(told))) waiting = info;
      else tell(info);
    },
    flush() {
      if (waiting) tell(waiting);
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
