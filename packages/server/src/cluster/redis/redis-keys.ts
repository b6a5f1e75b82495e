/** Every key we use in Redis. docs/cluster.md describes what they hold. */
export type RedisKeys = ReturnType<typeof redisKeys>;

export function redisKeys(prefix = 'liminal:') {
  return {
    cluster: `${prefix}cluster`,
    leases: `${prefix}leases`,
    incarnations: `${prefix}incarnations`,
    nodes: `${prefix}nodes`,
    fence: `${prefix}fence`,
    owners: `${prefix}owners`,
    news: `${prefix}news`,
    newsCount: `${prefix}news:count`,
    directory: (nodeId: string) => `${prefix}directory:${nodeId}`,
    commands: (nodeId: string) => `${prefix}commands:${nodeId}`,
    inbox: (nodeId: string) => `${prefix}inbox:${nodeId}`,
    head: (sessionId: string) => `${prefix}session:${sessionId}:head`,
    items: (sessionId: string) => `${prefix}session:${sessionId}:items`,
    index: (sessionId: string) => `${prefix}session:${sessionId}:index`,
    changes: (sessionId: string) => `${prefix}session:${sessionId}:changes`,
  };
}
