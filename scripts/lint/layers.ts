/** The folders of a package in layers. A folder imports only those of the layers above it in this list. */
export type Layers = { readonly root: string; readonly order: readonly (readonly string[])[] };

export const layers: readonly Layers[] = [
  {
    root: 'packages/domain/src/',
    order: [
      ['agents', 'connection', 'diff', 'fuzzy', 'items', 'json', 'modes', 'search', 'terminal', 'text', 'time'],
      ['accumulate', 'review'],
      ['delivery'],
      ['bridge', 'export', 'session', 'timeline'],
    ],
  },
  {
    root: 'packages/server/src/',
    order: [
      ['program'],
      ['observe', 'processes', 'store'],
      ['access', 'bus', 'git', 'preferences', 'projects'],
      ['files', 'providers', 'search', 'terminals', 'worktrees'],
      ['sessions'],
      ['delivery', 'events'],
      ['bridge', 'compare', 'telemetry', 'webhooks'],
      ['cluster', 'sockets'],
      ['http'],
      ['compose'],
    ],
  },
  { root: 'packages/server/src/providers/', order: [['kit'], ['acp', 'claude', 'demo'], ['codex']] },
  { root: 'packages/server/src/cluster/', order: [['redis'], ['membership'], ['bus', 'commands'], ['takeover']] },
  { root: 'packages/cli/src/', order: [['base'], ['attach', 'mcp'], ['commands']] },
  {
    root: 'packages/web/src/',
    order: [['browser'], ['connection'], ['ui'], ['rendering'], ['state'], ['features']],
  },
];

/** Each folder with the folders it must not import. */
export function forbiddenFolders({ order }: Layers): { readonly folder: string; readonly forbidden: string[] }[] {
  return order.flatMap((layer, place) =>
    layer.map((folder) => ({
      folder,
      forbidden: order
        .slice(place)
        .flat()
        .filter((other) => other !== folder),
    })),
  );
}
