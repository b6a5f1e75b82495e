import type { Membership } from './membership.ts';
import { claimScript, yieldScript } from '../redis/node-scripts.ts';

const batch = 500;
/** How the script decides about a session: see `claimScript`. */
type ClaimMode = 'own' | 'regain' | 'take';

export type OwnershipDeps = {
  readonly membership: Pick<Membership, 'incarnation' | 'keys' | 'nodeId' | 'script'>;
  /** The ids of all sessions in this node's own store. */
  readonly own: () => readonly string[];
  /**
   * Another node owns one of our sessions now. Whatever runs for it here must end. `isSure` unless Redis doesn't know the
   * owner: that node may also have deleted the session.
   */
  readonly onLost: (sessionId: string, ownerId: string, isSure: boolean) => void;
  /** The node that had taken one of our sessions gave it back. */
  readonly onRegained: (sessionId: string) => void;
  /**
   * The sessions in our store that another node took over, with that node. Must survive a restart of this server: a
   * Redis that lost its data doesn't know who owns them.
   */
  readonly lost: ReadonlyMap<string, string>;
  readonly keepLost: (lost: ReadonlyMap<string, string>) => void;
};

export type Ownership = ReturnType<typeof createOwnership>;

/** The sessions this node may write, and their fencing numbers. */
export function createOwnership({ membership, own, onLost, onRegained, keepLost, ...deps }: OwnershipDeps) {
  const { nodeId, keys } = membership;
  const lost = new Map(deps.lost);
  const fences = new Map<string, string>();
  const elsewhere = new Map<string, string>();

  let isLostChanged = false;
  const remember = (sessionId: string, owner: string | undefined): void => {
    if (lost.get(sessionId) === owner) return;
    isLostChanged = true;
    if (owner === undefined) lost.delete(sessionId);
    else lost.set(sessionId, owner);
  };
  const saveLost = (): void => {
    if (isLostChanged) keepLost(lost);
    isLostChanged = false;
  };
  const ask = async (mode: ClaimMode, sessionIds: readonly string[]): Promise<void> => {
    const args = [nodeId, membership.incarnation(), mode, ...sessionIds];
    const used = [keys.leases, keys.incarnations, keys.owners, keys.fence];
    const reply = (await membership.script(claimScript, used, args)) as readonly [
      string,
      number?,
      (readonly string[])?,
    ];
    const [verdict, fence, others = []] = reply;
    if (verdict !== 'OK') throw new Error(`claiming sessions: ${verdict}`);
    const owners = new Map<string, string>();
    for (let place = 0; place < others.length; place += 2) owners.set(others[place] ?? '', others[place + 1] ?? '');
    for (const sessionId of sessionIds) {
      const named = owners.get(sessionId);
      // Redis names nobody if it lost its data. The owner we know of will return.
      const owner = named === '' ? lost.get(sessionId) : named;
      if (owner === undefined) {
        fences.set(sessionId, String(fence));
        remember(sessionId, undefined);
        // A takeover opens the session by itself.
        if (elsewhere.delete(sessionId) && mode === 'regain') onRegained(sessionId);
      } else {
        // A session that we tried to take and don't have isn't one of ours.
        if (mode !== 'take' || lost.has(sessionId)) remember(sessionId, owner);
        lose(sessionId, owner, named !== '');
      }
    }
    saveLost();
  };
  const askAll = async (mode: ClaimMode, sessionIds: readonly string[]): Promise<void> => {
    for (let start = 0; start < sessionIds.length; start += batch) {
      await ask(mode, sessionIds.slice(start, start + batch));
    }
  };
  const lose = (sessionId: string, owner: string, isSure = true): void => {
    fences.delete(sessionId);
    if (elsewhere.get(sessionId) === owner) return;
    elsewhere.set(sessionId, owner);
    onLost(sessionId, owner, isSure);
  };

  return {
    fenceOf: (sessionId: string): string | undefined => fences.get(sessionId),
    /** The owner of a session that is in our store but belongs to another node. */
    ownerElsewhere: (sessionId: string): string | undefined => elsewhere.get(sessionId),
    /** Runs after every join, because the numbers of an earlier one are void. */
    async claimAll(): Promise<void> {
      fences.clear();
      const all = Map.groupBy(own(), (sessionId) => lost.has(sessionId));
      await askAll('own', all.get(false) ?? []);
      await askAll('regain', all.get(true) ?? []);
    },
    /** Claims the sessions that were given back. Nobody reports it, because we may be away at that moment. */
    regain: (): Promise<void> => askAll('regain', [...lost.keys()]),
    /** Resolves to whether the session is ours now. */
    async claim(sessionId: string): Promise<boolean> {
      await ask(lost.has(sessionId) ? 'regain' : 'own', [sessionId]);
      return fences.has(sessionId);
    },
    /** Takes a session from a node that is gone. False if the node is present, or another was faster. */
    async take(sessionId: string): Promise<boolean> {
      await ask('take', [sessionId]);
      return fences.has(sessionId);
    },
    /** Gives a session back to the node it was taken from, if Redis says that it is ours. */
    async giveBack(sessionId: string, ownerId: string): Promise<void> {
      fences.delete(sessionId);
      const args = [nodeId, membership.incarnation(), sessionId, ownerId];
      const reply = await membership.script(yieldScript, [keys.leases, keys.incarnations, keys.owners], args);
      const [verdict] = reply as readonly string[];
      if (verdict !== 'OK') throw new Error(`giving back a session: ${verdict}`);
      // We had it before, and still do.
      if (!own().includes(sessionId)) return;
      remember(sessionId, ownerId);
      saveLost();
      lose(sessionId, ownerId);
    },
    forget(sessionId: string): void {
      fences.delete(sessionId);
      elsewhere.delete(sessionId);
      remember(sessionId, undefined);
      saveLost();
    },
  };
}
