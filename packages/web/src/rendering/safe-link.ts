const allowed = new Set(['http:', 'https:', 'mailto:']);

/** The address a link may lead to, spelled as the browser will read it; anything else is no link. */
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
 * The place a link leads to, where its text is not an address at that very place. `github.com` is not at `github.co`,
 * and a text that goes on after the address may name another one.
 */
export function hostToShow(target: string, text: string): string {
  const { protocol, host, pathname } = new URL(target);
  const place = protocol === 'mailto:' ? pathname : host;
  const named = text.toLowerCase().replace(addressStart, '').trimEnd();
  if (!named.startsWith(place.toLowerCase())) return place;
  const rest = named.slice(place.length);
  return rest === '' || /^[/?#]\S*$/.test(rest) ? '' : place;
}
