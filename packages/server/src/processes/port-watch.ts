import type { OpenPort } from '@liminal/contracts';
import { kinOf } from './find-family.ts';
import { type Listener, portsAmong, readListeners, socketsOf } from './listening-ports.ts';
import { readProcessTable } from './process-table.ts';

export type PortWatch = {
  /** Something printed: what it and its children listen on is looked at soon. */
  heard(key: string): void;
  /** Sorted; empty for what was never learned of. */
  portsOf(key: string): readonly OpenPort[];
  /** Everything with open ports. */
  all(): ReadonlyMap<string, readonly OpenPort[]>;
  /** It has ended, and its ports with it. */
  forget(key: string): void;
};

/** Whose ports are asked for; null when it no longer runs. */
export type PortOwner = {
  readonly pid: number;
  /** What the process itself listens on is its own business, as with an agent. */
  readonly onlyChildren?: boolean;
};

type PortWatchDeps = {
  readonly ownerOf: (key: string) => PortOwner | null;
  readonly onChanged: (key: string) => void;
  readonly system?: typeof realSystem;
  /** How long after the first output one looks, and how long until one looks again. */
  readonly soonMs?: number;
  readonly everyMs?: number;
  /** How often one looks whether open ports are still open, although nothing is printed. */
  readonly openMs?: number;
};

const realSystem = {
  listeners: readListeners,
  /** The process and all that descend from it. */
  async family(pid: number): Promise<readonly number[]> {
    const table = await readProcessTable();
    return table === null ? [] : [...kinOf(pid, table.entries)];
  },
  sockets: socketsOf,
};

const inodesOf = (listeners: readonly Listener[]): string => listeners.map(({ inode }) => inode).join(' ');

/**
 * Notices ports that programs open, and that they close. It looks while they print something and while a port of theirs
 * is open, and at their processes only where something new listens or something no longer does.
 */
export function createPortWatch(deps: PortWatchDeps): PortWatch {
  const { ownerOf, onChanged, system = realSystem, soonMs = 250, everyMs = 1_000, openMs = 3_000 } = deps;
  const known = new Map<string, readonly OpenPort[]>();
  /** What listened on this machine when a key was last looked at. */
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
    // It may have ended meanwhile.
    if (lastSeen.has(key)) set(key, ports);
  };
  const look = async (): Promise<void> => {
    timer = null;
    isLooking = true;
    // A killed program closes its ports silently.
    const keys = new Set([...due, ...known.keys()]);
    due.clear();
    try {
      const listeners = await system.listeners();
      await Promise.all([...keys].map((key) => lookAt(key, listeners)));
    } catch {
      // What the system doesn't say this time, it may say after the next output.
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
