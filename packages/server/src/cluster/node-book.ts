import type { ClusterNode, ClusterView, NodeMark, NodePresence } from '@liminal/contracts';
import { z } from 'zod';
import type { Membership } from './membership.ts';
import { readJson } from './redis/read-json.ts';

/** What a node says of itself. Nothing here opens anything: a token cannot be read from its mark. */
export const NodeRecord = z.object({
  name: z.string(),
  address: z.string(),
  version: z.string(),
  /** Another with every start of its server. */
  life: z.string().default(''),
  tokenMark: z.string().optional(),
});
export type NodeRecord = z.infer<typeof NodeRecord>;

export type NodeBook = ReturnType<typeof createNodeBook>;

/** The nodes by name, and how each of them stands to us. */
export function createNodeBook(membership: Membership, own: () => NodeRecord, leaseMs: number) {
  let records = new Map<string, NodeRecord>();
  /** Nodes we know of and Redis does not, since it lost what it had, and when we noticed. */
  let unlisted = new Map<string, number>();
  const presenceOf = (nodeId: string): NodePresence => {
    if (nodeId === membership.nodeId) return 'here';
    if (!membership.isJoined()) return 'unseen';
    const since = unlisted.get(nodeId);
    if (since !== undefined) return performance.now() - since < leaseMs ? 'unseen' : 'gone';
    return membership.gone().has(nodeId) ? 'gone' : 'there';
  };
  const nodeOf = (nodeId: string): ClusterNode => {
    const record = nodeId === membership.nodeId ? own() : records.get(nodeId);
    const { name = 'another machine', address = '', version = '' } = record ?? {};
    return { nodeId, name, address, version, presence: presenceOf(nodeId) };
  };
  return {
    /** Learns who there is; nodes that are gone stay known by name. */
    async load(): Promise<readonly string[]> {
      const reply = (await membership.run(['HGETALL', membership.keys.nodes])) as readonly string[];
      const found = new Map<string, NodeRecord>();
      for (let place = 0; place < reply.length; place += 2) {
        const record = readJson(NodeRecord, reply[place + 1]);
        if (record) found.set(reply[place] ?? '', record);
      }
      const missing = [...records.keys()].filter((nodeId) => !found.has(nodeId));
      unlisted = new Map(missing.map((nodeId) => [nodeId, unlisted.get(nodeId) ?? performance.now()]));
      records = new Map([...records, ...found]);
      return [...found.keys()].filter((nodeId) => nodeId !== membership.nodeId);
    },
    /** Some that we know have not come back to a Redis that had lost everything. */
    isMissingSome: () => unlisted.size > 0,
    lifeOf: (nodeId: string): string => records.get(nodeId)?.life ?? '',
    nameOf: (nodeId: string): string => nodeOf(nodeId).name,
    presenceOf,
    markOf(nodeId: string): NodeMark {
      const { name, presence } = nodeOf(nodeId);
      return { nodeId, name, presence };
    },
    view(): ClusterView {
      const ids = new Set([membership.nodeId, ...records.keys()]);
      const nodes = [...ids].map(nodeOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return { nodeId: membership.nodeId, name: own().name, ...membership.standing(), nodes };
    },
    /** Whether a node that is there has a token with this mark. */
    knowsToken: (mark: string): boolean =>
      [...records].some(([nodeId, record]) => record.tokenMark === mark && presenceOf(nodeId) === 'there'),
  };
}
