import type { OpenPort } from '@liminal/contracts';
import { groupAndDescendants } from './find-family.ts';
import { type Listener, portsAmong, readListeners, socketsOf } from './listening-ports.ts';
import { readProcessTable } from './process-table.ts';

export type PortWatch = {
  /** Something printed output. Its listening ports and those of its children are checked soon. */
  heard(key: string): void;
  /** Sorted. Empty for an unknown key. */
  portsOf(key: string): readonly OpenPort[];
  /** Everything with open ports. */
  all(): ReadonlyMap<string, readonly OpenPort[]>;
  /** It has ended, and its ports with it. */
  forget(key: string): void;
};

/** The process whose ports are checked. Null if it no longer runs. */
export type PortOwner = {
  readonly pid: number;
  /** Ignores the ports of the process itself, as for an agent. */
  readonly onlyChildren?: boolean;
};

type PortWatchDeps = {
  readonly ownerOf: (key: string) => PortOwner | null;
  readonly onChanged: (key: string) => void;
  readonly system?: typeof realSystem;
  /** The delay before the first check after output, and the interval between checks. */
  readonly soonMs?: number;
  readonly everyMs?: number;
  /** How often to check whether open ports are still open if nothing is printed. */
  readonly openMs?: number;
};

const realSystem = {
  listeners: readListeners,
  /** The process and all its descendants. */
  async family(pid: number): Promise<readonly number[]> {
    const table = await readProcessTable();
    return table === null ? [] : [...groupAndDescendants(pid, table.entries)];
  },
  sockets: socketsOf,
};

const inodesOf = (listeners: readonly Listener[]): string => listeners.map(({ inode }) => inode).join(' ');

/**
 * Detects the ports that programs open and close. It checks while they print something or have a port open, and reads
 * their processes only if the listening sockets have changed.
 */
export function createPortWatch(deps: PortWatchDeps): PortWatch {
  const { ownerOf, onChanged, system = realSystem, soonMs = 250, everyMs = 1_000, openMs = 3_000 } = deps;
  const known = new Map<string, readonly OpenPort[]>();
  /** The listening sockets of this machine at the last check of each key. */
  const lastSeen = new Map<string, string>();
  const due = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let timerIsFor: 'printed' | 'open' = 'printed';
  let isLooking = false;
  let lookedAt = Number.NEGATIVE_INFINITY;

  const set = (key: string, ports: readonly OpenPort[]): void => {
    if (JSON.stringify(known.get(key) ?? []) === JSON.stringify(ports)) return;
    if (ports.length === 0) known.delete(key);
    else known.set(key, ports);
    onChanged(key);
  };
  const forget = (key: string): void => {
    due.delete(key);
    lastSeen.delete(key);
    set(key, []);
  };
  const lookAt = async (key: string, listeners: readonly Listener[]): Promise<void> => {
    const owner = ownerOf(key);
    if (owner === null) return forget(key);
    const inodes = inodesOf(listeners);
    if (lastSeen.get(key) === inodes) return;
    lastSeen.set(key, inodes);
    const family = listeners.length === 0 ? [] : await system.family(owner.pid);
    const pids = owner.onlyChildren === true ? family.filter((pid) => pid !== owner.pid) : family;
    const ports = portsAmong(listeners, await system.sockets(pids));
    // The program may have ended meanwhile.
    if (lastSeen.has(key)) set(key, ports);
  };
  const look = async (): Promise<void> => {
    timer = null;
    isLooking = true;
    // Include known ports, because a killed program closes its ports silently.
    const keys = new Set([...due, ...known.keys()]);
    due.clear();
    try {
      const listeners = await system.listeners();
      await Promise.all([...keys].map((key) => lookAt(key, listeners)));
    } catch {
      // The next output triggers another check.
    } finally {
      lookedAt = performance.now();
      isLooking = false;
      plan();
    }
  };
  const plan = (): void => {
    if (isLooking || (due.size === 0 && known.size === 0)) return;
    const isFor = due.size > 0 ? 'printed' : 'open';
    if (timer !== null && (timerIsFor === 'printed' || isFor === 'open')) return;
    if (timer !== null) clearTimeout(timer);
    timerIsFor = isFor;
    const delay = isFor === 'open' ? openMs : Math.max(soonMs, lookedAt + everyMs - performance.now());
    timer = setTimeout(() => void look(), delay).unref();
  };

  return {
    heard(key) {
      due.add(key);
      plan();
    },
    portsOf: (key) => known.get(key) ?? [],
    all: () => known,
    forget,
  };
}
