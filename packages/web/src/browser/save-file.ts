/** Gives the person a text as a file, the way their browser saves files. */
export function saveFile(name: string, text: string, mimeType: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: mimeType }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has the file in hand once the click is over.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
