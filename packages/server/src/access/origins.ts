import { networkInterfaces } from 'node:os';

export type Origins = {
  /** Whether the server accepts this host (with port). An attacker could make any other name resolve to us. */
  answersTo(host: string): boolean;
  isOwn(origin: string): boolean;
  /** Whether clients reach this host only over TLS. */
  isSecure(host: string): boolean;
};

/**
 * The host names and origins of this server. If its public address is https, a page loaded under that name over plain
 * http isn't ours: anyone on the network path could have made it.
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

/**
 * Every host name this server accepts. When it listens on all interfaces, that includes each address of the machine.
 */
export function hostNames(host: string, interfaces = networkInterfaces): readonly string[] {
  const own = everywhere.has(host) ? Object.values(interfaces()).flatMap((list) => list ?? []) : [];
  const names = ['127.0.0.1', 'localhost', '::1', host, ...own.map(({ address }) => address)];
  return [...new Set(names)].map((name) => (name.includes(':') ? `[${name}]` : name.toLowerCase()));
}
