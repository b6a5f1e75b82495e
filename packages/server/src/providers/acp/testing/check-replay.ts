import { PermissionRequest, TurnEvent, UpsertObject } from '@liminal/contracts';
import { expect, test } from 'vitest';
import type { ReplayedEvent } from '../recording/replay-recording.ts';

/** Checks that hold for the result of every recording. */
export function checkReplay(events: readonly ReplayedEvent[]): void {
  test('emits only what the contracts allow', () => {
    for (const event of events) {
      if (event.kind === 'upsert') UpsertObject.parse(event.upsert);
      if (event.kind === 'turn') TurnEvent.parse(event.event);
      if (event.kind === 'permission') PermissionRequest.parse(event.request);
    }
  });

  test('has one start and one terminal per turn, and each item is created and ended at most once', () => {
    const turns = events.flatMap((event) => (event.kind === 'turn' ? [event.event] : []));
    for (const events of Map.groupBy(turns, (event) => event.turnId).values()) {
      expect(events.map((event) => event.type === 'turn_started')).toEqual([true, false]);
    }
    const upserts = events.flatMap((event) => (event.kind === 'upsert' ? [event.upsert] : []));
    for (const states of Map.groupBy(upserts, (upsert) => upsert.itemId).values()) {
      expect(states.slice(1).map((state) => state.status)).not.toContain('create');
      expect(states.slice(0, -1).map((state) => state.status)).not.toContain('complete');
      expect(states.slice(0, -1).map((state) => state.status)).not.toContain('error');
    }
  });

  test('contains nothing unknown to this version', () => {
    expect(events.filter((event) => event.kind === 'unknown')).toEqual([]);
  });
}
