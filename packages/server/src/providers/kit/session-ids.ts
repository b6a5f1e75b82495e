import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProcessLog } from '../../processes/process-log.ts';
import { asRecord, asNonEmptyString } from './read-json.ts';

/** Which sessions of the agent are behind a session of ours; nearly always it is one, and has the same id. */
export type SessionIds = {
  /** The one that continues now. */
  agentIdOf(sessionId: string): string;
  /** Every one whose record belongs to ours, oldest first. */
  agentIdsOf(sessionId: string): readonly string[];
  ownIdOf(agentId: string): string;
  /** From now on that session of the agent is behind ours, in place of the one before. */
  bind(sessionId: string, agentId: string): void;
  /** From now on that session of the agent continues with ours; what the one before recorded still belongs to it. */
  goOnWith(sessionId: string, agentId: string): void;
  /** From now on these are behind ours. The ones they replace stay ours, so nobody takes them for others. */
  replace(sessionId: string, agentIds: readonly string[]): void;
};

/** Sessions as an agent lists them, under the ids they have here; several that stand for one of ours are that one. */
export function underOwnIds<T extends { readonly sessionId: string }>(listed: readonly T[], ids: SessionIds): T[] {
  const own = listed.map((session) => ({ ...session, sessionId: ids.ownIdOf(session.sessionId) }));
  return own.filter(({ sessionId }, place) => own.findIndex((other) => other.sessionId === sessionId) === place);
}

/** Ids that were replaced are kept under a name that no session has. */
const replacedKey = (sessionId: string): string => `replaced:${sessionId}`;
const ownOfKey = (key: string): string => key.replace(/^replaced:/, '');

/**
 * Kept in a file, because it must outlive the server. It is written only when an agent forgot a session nobody had sent
 * anything to and another took its place, when it began a new session in the middle of ours, or when ours was rewound.
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

  function keep(sessionId: string, agentIds: readonly string[], replaced?: readonly string[]): void {
    // Another provider of the same kind may have written meanwhile.
    known = undefined;
    const ids = all().set(sessionId, agentIds);
    if (replaced !== undefined) ids.set(replacedKey(sessionId), replaced);
    mkdirSync(dirname(file), { recursive: true });
    // Whole or not at all, should the server be ended just now.
    writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(ids)), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  return {
    agentIdOf: (sessionId) => agentIdsOf(sessionId).at(-1) ?? sessionId,
    agentIdsOf,
    ownIdOf: (agentId) => ownOfKey([...all()].find(([, ids]) => ids.includes(agentId))?.[0] ?? agentId),
    bind: (sessionId, agentId) => keep(sessionId, [agentId]),
    goOnWith: (sessionId, agentId) =>
      keep(sessionId, [...agentIdsOf(sessionId).filter((id) => id !== agentId), agentId]),
    replace(sessionId, agentIds) {
      const before = [...(all().get(replacedKey(sessionId)) ?? []), ...agentIdsOf(sessionId)];
      keep(
        sessionId,
        agentIds,
        [...new Set(before)].filter((id) => !agentIds.includes(id)),
      );
    },
  };
}
