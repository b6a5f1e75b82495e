import { useLayoutEffect, type ReactNode } from 'react';
import type { Cell } from '../../state/base/cell.ts';

type TypeAheadProps = { readonly text: Cell<string>; readonly onCancel: () => void };

/** Catches text typed while a part of the page is loading; otherwise the composer would get it. */
export function TypeAhead({ text, onCancel }: TypeAheadProps): ReactNode {
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape') {
        text.set('');
        onCancel();
      }
      if (event.key === 'Backspace') text.update((held) => held.slice(0, -1));
      else if (/^.$/u.test(event.key)) text.update((held) => held + event.key);
    };
    // Text without keys: dictation, an on-screen keyboard, a tool that types for the user.
    const onInput = (event: InputEvent): void => {
      event.preventDefault();
      event.stopPropagation();
      text.update((held) => held + (event.data ?? ''));
    };
    addEventListener('keydown', onKey, true);
    addEventListener('beforeinput', onInput, true);
    return () => {
      removeEventListener('keydown', onKey, true);
      removeEventListener('beforeinput', onInput, true);
    };
  }, [text, onCancel]);
  return null;
}
