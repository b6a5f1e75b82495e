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
