import { networkInterfaces } from 'node:os';

const everywhere = new Set(['0.0.0.0', '::']);

/** The names this server answers to: its own on this machine, the one it was given, and for "everywhere" every address it has. */
export function hostNames(host: string, interfaces = networkInterfaces): readonly string[] {
  const own = everywhere.has(host) ? Object.values(interfaces()).flatMap((list) => list ?? []) : [];
  const names = ['127.0.0.1', 'localhost', '::1', host, ...own.map(({ address }) => address)];
  return [...new Set(names)].map((name) => (name.includes(':') ? `[${name}]` : name.toLowerCase()));
}
