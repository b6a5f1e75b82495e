import { shownBy } from '@liminal/domain/delivery/testing/reader';
import type { Timeline } from '@liminal/domain/timeline/timeline';

type Shown = { readonly turns: readonly { readonly startedAt?: string; readonly endedAt?: string }[] };

/** What a timeline shows, without turn times, which only histories have. */
export function shown(timeline: Timeline): unknown {
  const all = shownBy(timeline) as Shown;
  return { ...all, turns: all.turns.map(({ startedAt: _startedAt, endedAt: _endedAt, ...turn }) => turn) };
}
