import { z } from 'zod';

/**
 * A machine as seen from the one that answers: itself, alive, lease expired, or unknown because the answering machine
 * is cut off from the others.
 */
export const NodePresence = z.enum(['here', 'there', 'gone', 'unseen']);
export type NodePresence = z.infer<typeof NodePresence>;

/** The machine a project or a session is on; absent where there is only one. */
export const NodeMark = z.object({ nodeId: z.string().min(1), name: z.string(), presence: NodePresence });
export type NodeMark = z.infer<typeof NodeMark>;

export const ClusterNode = NodeMark.extend({ address: z.string(), version: z.string() });
export type ClusterNode = z.infer<typeof ClusterNode>;

/** The cluster as one of its machines sees it. */
export const ClusterView = z.object({
  nodeId: z.string().min(1),
  name: z.string(),
  /** `apart`: this machine can't reach the others; its own work continues. */
  state: z.enum(['joined', 'apart']),
  /** Why it is apart, or what else is wrong, as a sentence for the user. */
  reason: z.string().optional(),
  nodes: z.array(ClusterNode),
});
export type ClusterView = z.infer<typeof ClusterView>;

/** Null without a cluster. */
export const ClusterReply = z.object({ cluster: ClusterView.nullable() });
export type ClusterReply = z.infer<typeof ClusterReply>;
