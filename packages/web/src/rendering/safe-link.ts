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
