const allowed = new Set(['http:', 'https:', 'mailto:']);

/** The URL of an allowed link, normalised by the browser; null for anything else. */
export function safeLink(href: string | undefined): string | null {
  if (href === undefined || !/^[a-z][a-z\d+.-]*:/i.test(href.trim())) return null;
  try {
    const address = new URL(href);
    return allowed.has(address.protocol) ? address.href : null;
  } catch {
    return null;
  }
}

const addressStart = /^\s*(?:https?:\/\/|mailto:)/;

/**
 * The host a link leads to, unless its text is already a URL on that very host. `github.com` isn't `github.co`, and
 * text after the URL may name another one.
 */
export function hostToShow(target: string, text: string): string {
  const { protocol, host, pathname } = new URL(target);
  const place = protocol === 'mailto:' ? pathname : host;
  const named = text.toLowerCase().replace(addressStart, '').trimEnd();
  if (!named.startsWith(place.toLowerCase())) return place;
  const rest = named.slice(place.length);
  return rest === '' || /^[/?#]\S*$/.test(rest) ? '' : place;
}
