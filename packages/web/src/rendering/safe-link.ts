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

/** The place a link leads to, where its words do not name it; a link whose words are another address is a lie. */
export function hostToShow(target: string, words: string): string {
  const { protocol, host, pathname } = new URL(target);
  const place = protocol === 'mailto:' ? pathname : host;
  return words
    .toLowerCase()
    .replace(/^\s*(https?:\/\/|mailto:)/, '')
    .startsWith(place.toLowerCase())
    ? ''
    : place;
}
