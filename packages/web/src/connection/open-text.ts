/** Long enough for the browser to have read it. */
const readMs = 60_000;

/** Shows a text in a tab of its own. It was fetched by the page: a link would reach the server without its secret. */
export function openText(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: address, target: '_blank', rel: 'noopener' });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), readMs);
}
