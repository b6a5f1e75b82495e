/** A key with its modifiers. By its position: with Alt held, some keyboards type another letter. */
export type Keys = {
  readonly code: string;
  /** How the key is shown. */
  readonly label: string;
  /** Ctrl, or Command on a Mac. */
  readonly mod?: true;
  readonly alt?: true;
  readonly shift?: true;
  /** By its character instead, for symbols that are elsewhere on each keyboard. */
  readonly writes?: string;
};

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export function isPressed(keys: Keys, event: Pressed): boolean {
  if (keys.writes !== undefined) return event.key === keys.writes && !event.ctrlKey && !event.metaKey && !event.altKey;
  return (
    event.code === keys.code &&
    (event.ctrlKey || event.metaKey) === (keys.mod ?? false) &&
    event.altKey === (keys.alt ?? false) &&
    event.shiftKey === (keys.shift ?? false)
  );
}

/**
 * Whether a key with Option types a symbol. Many keyboards of Macs need Option for characters such as `[`, `|` and `@`;
 * elsewhere, Alt types nothing.
 */
export const typesSymbol = ({ key, altKey, ctrlKey, metaKey }: Pressed, mac = isMac()): boolean =>
  mac && altKey && !ctrlKey && !metaKey && /^[!-/:-@[-`{-~]$/.test(key);

const isMac = (): boolean => /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

/** "Ctrl+K", or "⌘K" on a Mac. */
export function keysText({ label, mod, alt, shift }: Keys, mac = isMac()): string {
  const held = mac ? [alt && '⌥', shift && '⇧', mod && '⌘'] : [mod && 'Ctrl', alt && 'Alt', shift && 'Shift'];
  return [...held.filter((part) => part !== undefined), label].join(mac ? '' : '+');
}
