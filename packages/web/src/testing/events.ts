import { act } from 'react';

type KeyOptions = Pick<KeyboardEventInit, 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing'>;
type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Bypasses React's own property, as the browser does when a user types. */
function setValue(field: TextField | HTMLSelectElement, value: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
}

function write(field: TextField, value: string): void {
  setValue(field, value);
  field.setSelectionRange(value.length, value.length);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Focuses a field and replaces its text. */
export const type = (field: TextField, value: string): Promise<void> =>
  act(async () => {
    field.focus();
    write(field, value);
  });

export const select = (field: HTMLSelectElement, value: string): Promise<void> =>
  act(async () => {
    setValue(field, value);
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });

export const focus = (element: HTMLElement): Promise<void> => act(async () => element.focus());

/** Presses a key on the focused element, with the browser's default action unless the page prevents it. */
export const press = (key: string, options: KeyOptions = {}): Promise<void> =>
  act(async () => {
    const target = document.activeElement ?? document.body;
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
    if (!target.dispatchEvent(event)) return;
    if (key === 'Enter' && target instanceof HTMLTextAreaElement) write(target, `${target.value}\n`);
    if (key === 'Enter' && target instanceof HTMLButtonElement) target.click();
  });

/** A disabled control ignores clicks, as in the browser. */
export const click = (element: HTMLElement, options: Pick<MouseEventInit, 'ctrlKey'> = {}): Promise<void> =>
  act(async () => {
    if (element.matches(':disabled')) return;
    element.focus();
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...options }));
  });

/** Pastes files into the focused element. */
export const paste = (files: readonly File[], text = ''): Promise<void> =>
  act(async () => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { files, getData: () => text } });
    document.activeElement?.dispatchEvent(event);
  });
