/** Lets the person choose a file, and gives its text; null where they chose none. */
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
