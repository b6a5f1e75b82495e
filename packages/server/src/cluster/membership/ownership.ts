import type { Membership } from './membership.ts';
import { claimScript, yieldScript } from '../redis/node-scripts.ts';

const batch = 500;

export type OwnershipDeps = {
  readonly membership: Pick<Membership, 'incarnation' | 'keys' | 'nodeId' | 'script'>;
  /** The ids of all sessions in this node's own store. */
  readonly own: () => readonly string[];
  /** Another node owns one of our sessions now. Whatever runs for it here must end. */
  readonly onLost: (sessionId: string, ownerId: string) => void;
};

export type Ownership = ReturnType<typeof createOwnership>;

/** The sessions this node may write, and their fencing numbers. */
export function createOwnership({ membership, own, onLost }: OwnershipDeps) {
  const { nodeId, keys } = membership;
  const fences = new Map<string, string>();
  const elsewhere = new Map<string, string>();

  const ask = async (mode: 'own' | 'take', sessionIds: readonly string[]): Promise<void> => {
    const args = [nodeId, membership.incarnation(), mode, ...sessionIds];
    const used = [keys.leases, keys.incarnations, keys.owners, keys.fence];
    const reply = (await membership.script(claimScript, used, args)) as readonly [
      string,
      number?,
      (readonly string[])?,
    ];
    const [verdict, fence, lost = []] = reply;
    if (verdict !== 'OK') throw new Error(`claiming sessions: ${verdict}`);
    const losses = new Map<string, string>();
    for (let place = 0; place < lost.length; place += 2) losses.set(lost[place] ?? '', lost[place + 1] ?? '');
    for (const sessionId of sessionIds) {
      const owner = losses.get(sessionId);
      if (owner === undefined) {
        fences.set(sessionId, String(fence));
        elsewhere.delete(sessionId);
      } else lose(sessionId, owner);
    }
  };
  const lose = (sessionId: string, owner: string): void => {
    fences.delete(sessionId);
    if (elsewhere.get(sessionId) === owner) return;
    elsewhere.set(sessionId, owner);
    onLost(sessionId, owner);
  };

  return {
    fenceOf: (sessionId: string): string | undefined => fences.get(sessionId),
    /** The owner of a session that is in our store but belongs to another node. */
    ownerElsewhere: (sessionId: string): string | undefined => elsewhere.get(sessionId),
    /** Runs after every join, because the numbers of an earlier one are void. */
    async claimAll(): Promise<void> {
      fences.clear();
      const all = own();
      for (let start = 0; start < all.length; start += batch) await ask('own', all.slice(start, start + batch));
    },
    /** Resolves to whether the session is ours now. */
    async claim(sessionId: string): Promise<boolean> {
      await ask('own', [sessionId]);
      return fences.has(sessionId);
    },
    /** Takes a session from a node that is gone. False if the node is present, or another was faster. */
    async take(sessionId: string): Promise<boolean> {
      await ask('take', [sessionId]);
      return fences.has(sessionId);
    },
    /** Gives a session back to the node it was taken from. */
    async giveBack(sessionId: string, ownerId: string): Promise<void> {
      const fence = fences.get(sessionId) ?? '';
      fences.delete(sessionId);
      const args = [nodeId, membership.incarnation(), sessionId, fence, ownerId];
      await membership.script(yieldScript, [keys.leases, keys.incarnations, keys.owners], args);
    },
    lose,
    forget(sessionId: string): void {
      fences.delete(sessionId);
      elsewhere.delete(sessionId);
    },
  };
}
