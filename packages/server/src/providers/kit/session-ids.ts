import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProcessLog } from '../../processes/process-log.ts';
import { asRecord, asNonEmptyString } from './read-json.ts';

/** Which of the agent's sessions are behind one of ours; nearly always one, with the same id. */
export type SessionIds = {
  /** The current one. */
  agentIdOf(sessionId: string): string;
  /** All whose records belong to ours, oldest first. */
  agentIdsOf(sessionId: string): readonly string[];
  ownIdOf(agentId: string): string;
  /** From now on this session of the agent is behind ours, instead of the previous one. */
  bind(sessionId: string, agentId: string): void;
  /** From now on this session of the agent continues ours; the previous one's record still belongs to it. */
  continueIn(sessionId: string, agentId: string): void;
  /** From now on these are behind ours. The replaced ones stay ours, so they aren't listed as other sessions. */
  replace(sessionId: string, agentIds: readonly string[]): void;
};

/** Sessions from an agent's list, under our ids; several that are behind one of ours are listed once. */
export function underOwnIds<T extends { readonly sessionId: string }>(listed: readonly T[], ids: SessionIds): T[] {
  const own = listed.map((session) => ({ ...session, sessionId: ids.ownIdOf(session.sessionId) }));
  return own.filter(({ sessionId }, place) => own.findIndex((other) => other.sessionId === sessionId) === place);
}

/** Replaced ids are stored under a key that no session has. */
const replacedKey = (sessionId: string): string => `replaced:${sessionId}`;
const ownOfKey = (key: string): string => key.replace(/^replaced:/, '');

/**
 * Stored in a file, because it must outlive the server. Written only when an agent forgot an unused session and another
 * took its place, when it started a new session within ours, or when ours was rewound.
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
    // Atomic, in case the server is killed right now.
    writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(ids)), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }

  return {
    agentIdOf: (sessionId) => agentIdsOf(sessionId).at(-1) ?? sessionId,
    agentIdsOf,
    ownIdOf: (agentId) => ownOfKey([...all()].find(([, ids]) => ids.includes(agentId))?.[0] ?? agentId),
    bind: (sessionId, agentId) => keep(sessionId, [agentId]),
    continueIn: (sessionId, agentId) =>
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
