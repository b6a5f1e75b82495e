import { shownBy } from '@liminal/domain/delivery/testing/reader';
import type { Timeline } from '@liminal/domain/timeline/timeline';

type Shown = { readonly turns: readonly { readonly startedAt?: string; readonly endedAt?: string }[] };

/** What a timeline shows; the times of turns are left out, for only histories tell them. */
export function shown(timeline: Timeline): unknown {
  const all = shownBy(timeline) as Shown;
  return { ...all, turns: all.turns.map(({ startedAt: _startedAt, endedAt: _endedAt, ...turn }) => turn) };
}
