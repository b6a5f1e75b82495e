import type { ClusterNode, ClusterView, NodeMark, NodePresence } from '@liminal/contracts';
import { z } from 'zod';
import type { Membership } from './membership.ts';
import { readJson } from '../redis/read-json.ts';
import type { Seal } from './seal.ts';

/** The record a node publishes about itself. It grants no access: a token can't be derived from its mark. */
export const NodeRecord = z.object({
  name: z.string(),
  address: z.string(),
  version: z.string(),
  /** New with every start of its server. */
  life: z.string().default(''),
  tokenMark: z.string().optional(),
  /** Rises with every registration, so an old record that is put back is rejected. */
  number: z.number(),
});
export type NodeRecord = z.infer<typeof NodeRecord>;
const SignedRecord = NodeRecord.extend({ mac: z.string() });

const partsOf = (nodeId: string, { name, address, version, life, tokenMark = '', number }: NodeRecord) =>
  ['node', nodeId, name, address, version, life, tokenMark, String(number)] as const;

/** Signs a node's record, so write access to Redis isn't enough to forge one. */
export const signRecord = (seal: Seal, nodeId: string, record: NodeRecord): string =>
  JSON.stringify({ ...record, mac: seal.sign(...partsOf(nodeId, record)) });

export type NodeBookDeps = {
  readonly membership: Membership;
  readonly seal: Seal;
  readonly own: () => NodeRecord;
  readonly leaseMs: number;
  /** The highest number seen per node, which must survive a restart of this server. */
  readonly seen: ReadonlyMap<string, number>;
  readonly keepSeen: (seen: ReadonlyMap<string, number>) => void;
  readonly onForged: (nodeId: string) => void;
};

export type NodeBook = ReturnType<typeof createNodeBook>;

/** The known nodes with their names and their state as seen from here. */
export function createNodeBook({ membership, seal, own, leaseMs, keepSeen, onForged, ...deps }: NodeBookDeps) {
  const seen = new Map(deps.seen);
  const listeners = new Set<() => void>();
  let records = new Map<string, NodeRecord>();
  /** Nodes missing from Redis after it lost its data, and when we noticed. */
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
  const readRecord = (nodeId: string, text: string | undefined): NodeRecord | undefined => {
    const signed = readJson(SignedRecord, text);
    if (!signed) return undefined;
    const { mac, ...record } = signed;
    const isGenuine = seal.holds(mac, ...partsOf(nodeId, record)) && record.number >= (seen.get(nodeId) ?? 0);
    if (!isGenuine) onForged(nodeId);
    return isGenuine ? record : undefined;
  };
  const noteSeen = (found: ReadonlyMap<string, NodeRecord>): void => {
    const newer = [...found].filter(([nodeId, { number }]) => number > (seen.get(nodeId) ?? 0));
    if (newer.length === 0) return;
    for (const [nodeId, { number }] of newer) seen.set(nodeId, number);
    keepSeen(seen);
  };
  return {
    /** Reads the records of all nodes. Nodes that are gone stay known by name. */
    async load(): Promise<readonly string[]> {
      const reply = (await membership.run(['HGETALL', membership.keys.nodes])) as readonly string[];
      const found = new Map<string, NodeRecord>();
      for (let place = 0; place < reply.length; place += 2) {
        const nodeId = reply[place] ?? '';
        const record = readRecord(nodeId, reply[place + 1]);
        if (record) found.set(nodeId, record);
      }
      noteSeen(found);
      const missing = [...records.keys()].filter((nodeId) => !found.has(nodeId));
      unlisted = new Map(missing.map((nodeId) => [nodeId, unlisted.get(nodeId) ?? performance.now()]));
      records = new Map([...records, ...found]);
      for (const listener of listeners) listener();
      return [...found.keys()].filter((nodeId) => nodeId !== membership.nodeId);
    },
    /** Whether known nodes have not yet returned to a Redis that lost its data. */
    isMissingSome: () => unlisted.size > 0,
    lifeOf: (nodeId: string): string => records.get(nodeId)?.life ?? '',
    nodeOf,
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
    /** Called whenever the records were read again. */
    onLoaded: (listener: () => void): void => void listeners.add(listener),
    /** The token marks of other nodes, as last seen. */
    tokenMarks: (): readonly string[] => [...records.values()].flatMap(({ tokenMark }) => tokenMark ?? []),
    /** Whether a node that is present has a token with this mark. */
    knowsToken: (mark: string): boolean =>
      [...records].some(([nodeId, record]) => record.tokenMark === mark && presenceOf(nodeId) === 'there'),
  };
}
