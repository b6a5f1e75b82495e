import type { ProcessLog } from '../../processes/process-log.ts';
import type { Unsubscribe } from '../provider.ts';

export type HeldEvents<Event extends readonly unknown[]> = {
  emit(...event: Event): void;
  listen(listener: (...event: Event) => void): Unsubscribe;
};

/** Notifies its listeners, and keeps events until there is one. A listener that throws doesn't affect others. */
export function createHeldEvents<Event extends readonly unknown[]>(log: ProcessLog): HeldEvents<Event> {
  const listeners = new Set<(...event: Event) => void>();
  let held: Event[] = [];

  const notify = (listener: (...event: Event) => void, event: Event): void => {
    try {
      listener(...event);
    } catch (error) {
      log.error({ error }, 'a listener of agent events failed');
    }
  };

  return {
    emit(...event) {
      if (listeners.size === 0) held.push(event);
      else for (const listener of listeners) notify(listener, event);
    },
    listen(given) {
      // A new listener each time, so the same function can listen twice.
      const listener = (...event: Event): void => given(...event);
      listeners.add(listener);
      const waiting = held;
      held = [];
      for (const event of waiting) notify(listener, event);
      return () => void listeners.delete(listener);
    },
  };
}
