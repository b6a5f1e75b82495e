import type { Bench } from './bench.ts';

/** Every bench, in the order they run; loaded one at a time, each in a process of its own. */
export const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  accumulate: async () => (await import('./benches/accumulate.ts')).accumulate,
  'tool-output': async () => (await import('./benches/tool-output.ts')).toolOutput,
  fold: async () => (await import('./benches/fold.ts')).fold,
  store: async () => (await import('./benches/store.ts')).store,
  latency: async () => (await import('./benches/latency.ts')).latency,
  load: async () => (await import('./benches/load.ts')).load,
  deliveries: async () => (await import('./benches/deliveries.ts')).deliveries,
  bytes: async () => (await import('./benches/bytes.ts')).bytes,
  memory: async () => (await import('./benches/memory.ts')).memory,
  'idle-memory': async () => (await import('./benches/idle-memory.ts')).idleMemory,
  'claude-first-token': async () => (await import('./benches/claude-first-token.ts')).claudeFirstToken,
  'codex-first-token': async () => (await import('./benches/codex-first-token.ts')).codexFirstToken,
  codex: async () => (await import('./benches/codex.ts')).codex,
  'large-record': async () => (await import('./benches/large-record.ts')).largeRecord,
  cluster: async () => (await import('./benches/cluster.ts')).cluster,
  deaths: async () => (await import('./benches/deaths.ts')).deaths,
  mentions: async () => (await import('./benches/mentions.ts')).mentions,
  search: async () => (await import('./page/search.ts')).search,
  'long-sessions': async () => (await import('./page/long-sessions.ts')).longSessions,
  streaming: async () => (await import('./page/streaming.ts')).streaming,
  painting: async () => (await import('./page/painting.ts')).painting,
  everyday: async () => (await import('./page/everyday.ts')).everyday,
  'command-line': async () => (await import('./benches/command-line.ts')).commandLine,
  'start-up': async () => (await import('./benches/start-up.ts')).startUp,
};
