import { PermissionRequest, SessionInfo, type UpsertObject } from '@liminal/contracts';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { createEmissionReader, type EmissionReader } from '@liminal/domain/accumulate/testing/emission-invariants';
import type { ReplayedEvent } from '../../providers/acp/recording/replay-recording.ts';

/** The result of a stream: how many messages were wrong, and which invariants broke. */
export type StreamVerdict = {
  readonly mutated: number;
  readonly messages: number;
  readonly problems: readonly string[];
};

/** Checks everything a translator emits against the invariants of the core. */
export function createJudge() {
  const readers = new Map<string, EmissionReader>();
  const started = new Map<string, string>();
  /** Items that start after the end of their turn. One that started before must end with it. */
  const late = new Set<string>();
  const problems: string[] = [];
  const readerOf = (sessionId: string): EmissionReader => {
    const reader = readers.get(sessionId) ?? createEmissionReader((itemId) => late.has(itemId));
    readers.set(sessionId, reader);
    return reader;
  };
  return {
    read(emissions: readonly Emission[]): void {
      for (const emission of emissions) {
        const { sessionId } = emission.kind === 'turn' ? emission.event : emission.upsert;
        if (emission.kind === 'turn' && emission.event.type === 'turn_started')
          started.set(emission.event.turnId, sessionId);
        const reader = readerOf(sessionId);
        if (emission.kind === 'upsert' && isTrailing(reader, emission.upsert)) late.add(emission.upsert.itemId);
        reader.read([emission]);
      }
    },
    info(info: unknown): void {
      if (!SessionInfo.safeParse(info).success)
        problems.push(`info does not validate: ${JSON.stringify(info).slice(0, 300)}`);
    },
    asked(request: unknown): void {
      if (!PermissionRequest.safeParse(request).success) {
        problems.push(`a question does not validate: ${JSON.stringify(request).slice(0, 300)}`);
      }
    },
    /** At the end of a process, every turn must have ended and nothing may be open. */
    finish(): readonly string[] {
      for (const [turnId, sessionId] of started) {
        if (!readers.get(sessionId)?.terminals.has(turnId)) problems.push(`${turnId}: never ended`);
      }
      return [...problems, ...[...readers.values()].flatMap((reader) => reader.problems)];
    },
  };
}

/** The invariants a replayed recording broke. */
export function problemsOf(events: readonly ReplayedEvent[]): readonly string[] {
  const judge = createJudge();
  for (const event of events) {
    if (event.kind === 'upsert' || event.kind === 'turn') judge.read([event]);
    else if (event.kind === 'permission') judge.asked(event.request);
  }
  return judge.finish();
}

const isTrailing = ({ items, terminals }: EmissionReader, { itemId, turnId }: UpsertObject): boolean =>
  terminals.has(turnId) && !items.has(itemId);
