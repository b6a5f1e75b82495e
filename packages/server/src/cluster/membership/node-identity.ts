import { randomUUID } from 'node:crypto';
import type { Store } from '../../store/store.ts';

const key = 'cluster-node';
type Kept = {
  readonly nodeId: string;
  readonly incarnations?: readonly string[];
  /** As earlier versions kept it: only the last one. */
  readonly incarnation?: string;
  readonly number?: number;
};

/** Who this data directory is in the cluster. A copy of the directory is noticed by its incarnations. */
export function createNodeIdentity(store: Pick<Store, 'setting' | 'write'>) {
  const kept = (store.setting(key) ?? { nodeId: randomUUID() }) as Kept;
  const { nodeId } = kept;
  let incarnations = kept.incarnations ?? [kept.incarnation ?? ''].filter((one) => one !== '');
  let number = kept.number ?? 0;
  return {
    nodeId,
    /** Rises with every registration. */
    number: () => number,
    incarnations: () => incarnations,
    async keepIncarnations(next: readonly string[]): Promise<void> {
      // Based on the clock, so the number still rises after a data directory is restored from a backup.
      if (next.at(-1) !== incarnations.at(-1)) number = Math.max(number + 1, Date.now());
      incarnations = next;
      await store.write([{ type: 'put-setting', key, value: { nodeId, incarnations, number } }]);
    },
  };
}
