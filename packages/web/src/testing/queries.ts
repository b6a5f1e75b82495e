/** Text without key hints, which aren't part of a control's name. */
export function textOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const hint of copy.querySelectorAll('kbd, svg')) hint.remove();
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** The accessible name of a control: its label, or its text. */
export function nameOf(element: Element): string {
  const label = element.getAttribute('aria-label');
  if (label !== null) return label;
  const labels = element instanceof HTMLButtonElement ? [] : [...((element as HTMLInputElement).labels ?? [])];
  return labels.length > 0 ? labels.map(textOf).join(' ') : textOf(element);
}

function all<T extends Element>(selector: string): T[] {
  return [...document.querySelectorAll<T>(selector)];
}

function named<T extends Element>(selector: string, name: string): T {
  const found = all<T>(selector).find((element) => nameOf(element) === name);
  if (found !== undefined) return found;
  const names = all(selector).map((element) => `“${nameOf(element)}”`);
  throw new Error(`There is no “${name}” among: ${names.join(', ')}`);
}

/** A link to a file is inline text that acts as a button. */
const anyButton = 'button, [role=button]';

export const button = (name: string): HTMLButtonElement => named(anyButton, name);
export const buttonNames = (): string[] => all(anyButton).map(nameOf);
export const field = <T extends HTMLElement = HTMLInputElement>(name: string): T =>
  named<T>('input, textarea, select', name);

/** The only element that matches. */
export function one<T extends HTMLElement = HTMLElement>(selector: string): T {
  const [found, ...more] = all<T>(selector);
  if (found === undefined || more.length > 0)
    throw new Error(`${more.length + (found ? 1 : 0)} elements fit ${selector}`);
  return found;
}

/** The texts of all matching elements, in order. */
export const texts = (selector: string): string[] => all(selector).map(textOf);
export const pageText = (): string => textOf(document.body);
