import { networkInterfaces } from 'node:os';

export type Origins = {
  /** Hosts, with port, that this server answers to; others could be names that were made to resolve to us. */
  answersTo(host: string): boolean;
  isOwn(origin: string): boolean;
  /** Whether people reach this host over TLS only. */
  isSecure(host: string): boolean;
};

/**
 * The names of this server. Where its public address is https, a page that came under that name over plain http may have
 * been made by anybody on the way: it is not ours.
 */
export function createOrigins(hosts: () => readonly string[], publicUrl: string | undefined): Origins {
  const address = publicUrl === undefined ? null : new URL(publicUrl);
  const isSecure = (host: string): boolean => address?.protocol === 'https:' && host.toLowerCase() === address.host;
  const answersTo = (host: string): boolean => [...hosts(), address?.host].includes(host.toLowerCase());
  return {
    answersTo,
    isSecure,
    isOwn(origin) {
      const url = URL.parse(origin);
      if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
      return answersTo(url.host) && (url.protocol === 'https:' || !isSecure(url.host));
    },
  };
}

const everywhere = new Set(['0.0.0.0', '::']);

/** The names this server answers to: its own on this machine, the one it was given, and for "everywhere" every address it has. */
export function hostNames(host: string, interfaces = networkInterfaces): readonly string[] {
  const own = everywhere.has(host) ? Object.values(interfaces()).flatMap((list) => list ?? []) : [];
  const names = ['127.0.0.1', 'localhost', '::1', host, ...own.map(({ address }) => address)];
  return [...new Set(names)].map((name) => (name.includes(':') ? `[${name}]` : name.toLowerCase()));
}
