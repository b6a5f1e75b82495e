import { useEffect, useState } from 'react';

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('textarea, select, input:not([type=radio]):not([type=checkbox])');

/** A key meant for what was there before must not answer what has just appeared. */
const quietMs = 1000;

/** Whether what has appeared has stood long enough for a key to be meant for it. */
export function useKeysReady(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), quietMs);
    return () => clearTimeout(timer);
  }, []);
  return isReady;
}
