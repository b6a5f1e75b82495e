import { isBusy } from '@liminal/domain/session/session';
import { hasUnfinishedWork } from '../shell/agent-renewal.ts';
import type { OpenSession, SessionRoster } from './session-roster.ts';

export type AgentKeeperDeps = {
  readonly roster: SessionRoster;
  /** An agent idle for this long is put to sleep. */
  readonly idleMs: number;
  /** At most this many live agents; beyond that the longest idle one sleeps first. */
  readonly maxLive: number;
  /** A session without an agent is unloaded when nobody has used or read it for this long. */
  readonly unusedMs: number;
  /**
   * The clock of `lastActive`, monotonic: setting the system clock back a day would keep every agent awake for a day.
   */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
};

export type AgentKeeper = {
  check(): Promise<void>;
  /** Puts every idle agent of this type to sleep; its next message starts it again. */
  restartIdle(cliType: string): Promise<void>;
  start(everyMs: number): void;
  stop(): void;
};

/** Idle agents cost hundreds of megabytes each; they are put to sleep and wake with the next message. */
export function createAgentKeeper({ roster, idleMs, maxLive, unusedMs, now, onError }: AgentKeeperDeps): AgentKeeper {
  let timer: NodeJS.Timeout | null = null;
  let checking: Promise<void> | null = null;
  let again = false;

  const check = async () => {
    const live = roster.all().filter(({ link }) => link.isAlive());
    const restful = live.filter(maySleep).toSorted((a, b) => a.shell.lastActive() - b.shell.lastActive());
    const tooMany = Math.max(0, live.length - maxLive);
    const due = restful.filter(({ shell }, index) => index < tooMany || now() - shell.lastActive() >= idleMs);
    await Promise.all(due.map(({ shell }) => shell.sleep().catch(onError)));
    const unused = roster.all().filter((opened) => mayLeave(opened) && now() - roster.lastUsed(opened) >= unusedMs);
    for (const opened of unused) await roster.unload(opened).catch(onError);
  };

  /** One check at a time; agents that start during one are covered by the next. */
  const checkOnce = (): Promise<void> => {
    again = true;
    checking ??= checkAll().finally(() => (checking = null));
    return checking;
  };
  const checkAll = async (): Promise<void> => {
    while (again) {
      again = false;
      await check();
    }
  };

  return {
    check: checkOnce,
    async restartIdle(cliType) {
      const due = roster.all().filter((open) => open.link.isAlive() && ofType(open, cliType) && maySleep(open));
      await Promise.all(due.map(({ shell }) => shell.sleep().catch(onError)));
    },
    start(everyMs) {
      timer = setInterval(() => void checkOnce(), everyMs);
      timer.unref();
    },
    stop() {
      if (timer) clearInterval(timer);
    },
  };
}

const ofType = ({ link }: OpenSession, cliType: string): boolean => link.provider.cliType === cliType;

function maySleep({ shell, link }: OpenSession): boolean {
  const session = shell.session();
  return !isBusy(session) && session.life !== 'loading' && !hasUnfinishedWork(session, link);
}

const mayLeave = (opened: OpenSession): boolean =>
  !opened.link.isStartedOrStarting() &&
  !opened.shell.isFollowed() &&
  opened.shell.session().queue.length === 0 &&
  maySleep(opened);
