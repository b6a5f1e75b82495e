import { describe, expect, it } from 'vitest';
import { isPressed, keysText, typesSymbol, type Keys } from './keys.ts';

const palette: Keys = { code: 'KeyK', label: 'K', mod: true };
const press = (part: object) => ({
  key: 'k',
  code: 'KeyK',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...part,
});

describe('keys', () => {
  it('accept Ctrl or Command, but no extra modifier', () => {
    expect(isPressed(palette, press({ ctrlKey: true }))).toBe(true);
    expect(isPressed(palette, press({ metaKey: true }))).toBe(true);
    expect(isPressed(palette, press({}))).toBe(false);
    expect(isPressed(palette, press({ ctrlKey: true, shiftKey: true }))).toBe(false);
  });

  it('accept a character wherever it is on the keyboard', () => {
    const help: Keys = { code: '', label: '?', writes: '?' };
    expect(isPressed(help, press({ key: '?', code: 'Minus', shiftKey: true }))).toBe(true);
    expect(isPressed(help, press({ key: '/', code: 'Slash' }))).toBe(false);
  });

  it('type a symbol with Option on a Mac, but not with Alt elsewhere', () => {
    const bracket = press({ key: '[', code: 'Digit5', altKey: true });
    expect(typesSymbol(bracket, true)).toBe(true);
    expect(typesSymbol(bracket, false)).toBe(false);
    expect(typesSymbol({ ...bracket, metaKey: true }, true)).toBe(false);
    expect(typesSymbol(press({ key: '™', code: 'Digit2', altKey: true }), true)).toBe(false);
    expect(typesSymbol(press({ key: 'ArrowUp', code: 'ArrowUp', altKey: true }), true)).toBe(false);
  });

  it('are written in the platform’s style', () => {
    expect(keysText(palette, false)).toBe('Ctrl+K');
    expect(keysText(palette, true)).toBe('⌘K');
    expect(keysText({ code: 'BracketLeft', label: '[', alt: true, shift: true }, false)).toBe('Alt+Shift+[');
  });
});
