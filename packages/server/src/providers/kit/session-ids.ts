import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProcessLog } from '../../processes/process-log.ts';
import { asRecord, asNonEmptyString } from './read-json.ts';

/** Which sessions of the agent are behind a session of ours; nearly always it is one, and has the same id. */
export type SessionIds = {
  /** The one that goes on now. */
  agentIdOf(sessionId: string): string;
  /** Every one whose record belongs to ours, oldest first. */
  agentIdsOf(sessionId: string): readonly string[];
  ownIdOf(agentId: string): string;
  /** From now on that session of the agent is behind ours, in place of the one before. */
  bind(sessionId: string, agentId: string): void;
  /** From now on that session of the agent goes on with ours; what the one before recorded still belongs to it. */
  goOnWith(sessionId: string, agentId: string): void;
};

/**
 * Kept in a file, because it must outlive the server. It is written only when an agent forgot a session nobody had sent
 * anything to and another took its place, or when it began a new session in the middle of ours.
 */
export function createSessionIds(file: string, log: ProcessLog): SessionIds {
  let known: Map<string, readonly string[]> | undefined;

  function all(): Map<string, readonly string[]> {
    if (known) return known;
    known = new Map();
    try {
      const read = asRecord(JSON.parse(readFileSync(file, 'utf8')));
      for (const [own, agent] of Object.entries(read)) {
        const ids = [agent].flat().flatMap((id) => asNonEmptyString(id) ?? []);
        if (ids.length > 0) known.set(own, ids);
      }
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing) log.warn({ file, err: error }, "couldn't read the session ids of an agent");
    }
    return known;
  }

  const agentIdsOf = (sessionId: string): readonly string[] => all().get(sessionId) ?? [sessionId];

  function keep(sessionId: string, agentIds: readonly string[]): void {
    // Another provider of the same kind may have written meanwhile.
    known = undefined;
    const ids = all().set(sessionId, agentIds);
    mkdirSync(dirname(file), { recursive: true });
    // Whole or not at all, should the server be ended just now.
    writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(ids)), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  return {
    agentIdOf: (sessionId) => agentIdsOf(sessionId).at(-1) ?? sessionId,
    agentIdsOf,
    ownIdOf: (agentId) => [...all()].find(([, ids]) => ids.includes(agentId))?.[0] ?? agentId,
    bind: (sessionId, agentId) => keep(sessionId, [agentId]),
    goOnWith: (sessionId, agentId) =>
      keep(sessionId, [...agentIdsOf(sessionId).filter((id) => id !== agentId), agentId]),
  };
}
