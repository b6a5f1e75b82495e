import type { TurnEvent, UpsertObject } from '@liminal/contracts';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { createEmissionTimer } from './emission-timer.ts';
import { present } from './read-json.ts';
import type { SessionHub } from './session-hub.ts';

export type EmissionPublisherOptions = {
  readonly hub: Pick<SessionHub, 'turns' | 'upserts'>;
  readonly translator: {
    nextDue(): number | null;
    tick(at: number): readonly Emission[];
    /** The agent's own id for an item. */
    sourceIdOf(upsert: UpsertObject): string | undefined;
  };
  readonly now: () => number;
  readonly latencyMs: number;
  /** Called before a turn event is published. */
  readonly onTurn?: (event: TurnEvent) => void;
};

/** Publishes a translator's emissions, and emits waiting text as soon as it is due. */
export function createEmissionPublisher(options: EmissionPublisherOptions) {
  const { hub, translator, onTurn, now, latencyMs } = options;
  const timer = createEmissionTimer({
    nextDue: () => translator.nextDue(),
    tick: (at) => publish(translator.tick(at)),
    now,
    latencyMs,
  });

  function publish(emissions: readonly Emission[]): void {
    for (const emission of emissions) {
      if (emission.kind === 'turn') {
        onTurn?.(emission.event);
        hub.turns.emit(emission.event);
        continue;
      }
      const { upsert, appended, grown } = emission;
      hub.upserts.emit(upsert, { ...appended, ...present({ grown, sourceId: translator.sourceIdOf(upsert) }) });
    }
    timer.schedule();
  }

  return { publish, stop: timer.stop };
}
