/** Downloads a text as a file. */
export function saveFile(name: string, text: string, mimeType: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mimeType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has the file once the click is over.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Lets the user choose a file, and returns its text; null if they chose none. */
export function pickFile(accept: string): Promise<string | null> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  return new Promise((resolve) => {
    input.addEventListener('cancel', () => resolve(null));
    input.addEventListener('change', () => resolve(input.files?.[0]?.text() ?? null));
    input.click();
  });
}

/** Long enough for the browser to read it. */
const readMs = 60_000;

/** Shows a text in a new tab. The page fetches it first: a plain link would reach the server without the secret. */
export function openText(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = Object.assign(document.createElement('a'), { href: address, target: '_blank', rel: 'noopener' });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), readMs);
}
