import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProcessLog } from '../../processes/process-log.ts';
import { asRecord, asWord } from '../loose.ts';

/** Which session of the agent is behind a session of ours; nearly always they have the same id. */
export type SessionIds = {
  agentIdOf(sessionId: string): string;
  ownIdOf(agentId: string): string;
  /** From now on that session of the agent is behind ours. */
  bind(sessionId: string, agentId: string): void;
};

/**
 * Kept in a file, because it must outlive the server. It is written only when an agent forgot a session nobody had sent
 * anything to, and another took its place.
 */
export function createSessionIds(file: string, log: ProcessLog): SessionIds {
  let known: Map<string, string> | undefined;

  function all(): Map<string, string> {
    if (known) return known;
    known = new Map();
    try {
      const read = asRecord(JSON.parse(readFileSync(file, 'utf8')));
      for (const [own, agent] of Object.entries(read)) if (asWord(agent) !== undefined) known.set(own, String(agent));
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing) log.warn({ file, err: error }, 'the ids of an agent’s sessions cannot be read');
    }
    return known;
  }

  return {
    agentIdOf: (sessionId) => all().get(sessionId) ?? sessionId,
    ownIdOf: (agentId) => [...all()].find(([, agent]) => agent === agentId)?.[0] ?? agentId,
    bind(sessionId, agentId) {
      all().set(sessionId, agentId);
      mkdirSync(dirname(file), { recursive: true });
      // Whole or not at all, should the server be ended just now.
      writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(all())), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}
