import type { ProcessLog } from '../../processes/process-log.ts';

/** Counts an agent's messages that this version doesn't know, and logs each kind once: there may be thousands. */
export type UnknownMessages = { count(name: string): void };

export function createUnknownMessages(agent: string, log: ProcessLog): UnknownMessages {
  const seen = new Map<string, number>();
  return {
    count(name) {
      const times = (seen.get(name) ?? 0) + 1;
      seen.set(name, times);
      if (times === 1) log.warn({ agent, name }, 'an agent sent an unknown message');
      else if (Number.isInteger(Math.log10(times)))
        log.info({ agent, name, times }, 'an agent keeps sending unknown messages');
    },
  };
}
