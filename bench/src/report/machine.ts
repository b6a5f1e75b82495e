import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

export type Machine = Readonly<Record<string, string>>;

const root = new URL('../../../', import.meta.url);
const versionOf = (name: string) =>
  (JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, root), 'utf8')) as { version: string }).version;

/** What the numbers depend on. */
export function describeMachine(): Machine {
  const processors = cpus();
  return {
    processor: `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: `${type()} ${release()}`,
    versions: `Node ${process.versions.node} (V8 ${process.versions.v8}), ws ${versionOf('ws')}, fastify ${versionOf('fastify')}`,
    'load at the start': loadavg()
      .map((load) => load.toFixed(1))
      .join(', '),
  };
}
