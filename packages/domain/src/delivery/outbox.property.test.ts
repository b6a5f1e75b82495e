import type { Encoding } from '@liminal/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../timeline/fold.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { type ChangeBody, keyOf } from './change.ts';
import { createLedger } from './ledger.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { historyOf, onTheWire, shownBy, timelineOf } from './testing/reader.ts';
import { createScriptedSession, type Step } from './testing/scripted-session.ts';

const epoch = 'e1';

type Event = { readonly what: 'change' | 'take' | 'flush' | 'cut' | 'repeat'; readonly step: Step };

const events = fc.array(
  fc.record<Event>({
    what: fc.constantFrom('change', 'change', 'change', 'change', 'change', 'take', 'flush', 'cut', 'repeat'),
    step: fc.record({ what: fc.nat(11), which: fc.nat(9), size: fc.nat(40) }),
  }),
  { maxLength: 200, size: 'max' },
);

/** A session with one reader whose socket may disconnect at any moment. */
function createScene(encoding: Encoding, maxBytes: number) {
  const ledger = createLedger(epoch);
  const newest = new Map<string, ChangeBody>();
  const session = createScriptedSession();
  const history = () => historyOf(newest.values(), epoch, ledger.seq);
  const timeline: Timeline = timelineOf(history());
  let outbox: Outbox = createOutbox({ encoding, maxBytes });
  let histories = 0;
  const problems: string[] = [];

  const change = (step: Step): void => {
    const body = session(step);
    if (!body) return;
    newest.set(keyOf(body), body);
    outbox.push(ledger.record(body));
  };

  const take = (budget?: number): void => {
    if (outbox.overflowed) {
      histories += 1;
      fold(timeline, history());
      outbox.reset(ledger.seq);
    }
    for (const message of outbox.take(budget)) {
      if (message.seq <= (timeline.cursor?.seq ?? -1)) problems.push(`${message.seq} does not rise`);
      if (encoding === 'full' && message.type === 'session:append') problems.push(`append at ${message.seq}`);
      const { missing } = fold(timeline, onTheWire(message, epoch));
      if (missing.length > 0) problems.push(`hole at ${message.seq}`);
    }
  };

  const cut = (): void => {
    const seq = timeline.cursor?.seq ?? 0;
    outbox = createOutbox({ encoding, maxBytes, startSeq: seq });
    fold(timeline, { type: 'session:resumed', sessionId: 'session-1', epoch, seq, verdict: 'ok' });
    for (const one of ledger.changesSince(seq) ?? []) outbox.push(one);
  };

  const repeat = ({ which }: Step): void => {
    const key = [...newest.keys()][which];
    const again = key && ledger.repeat(key);
    if (again) outbox.push(again);
  };

  return {
    timeline,
    problems,
    histories: () => histories,
    expected: () => shownBy(timelineOf(history())),
    play({ what, step }: Event): void {
      if (what === 'change') change(step);
      if (what === 'take') take(step.size * 60);
      if (what === 'flush') outbox.flushHeld();
      if (what === 'cut') cut();
      if (what === 'repeat') repeat(step);
    },
    finish(): void {
      outbox.flushHeld();
      take();
      expect(outbox.bytes).toBe(0);
      expect(outbox.ready || outbox.holding).toBe(false);
    },
  };
}

describe.each<Encoding>(['full', 'append'])('for a reader with encoding %s', (encoding) => {
  test.each([
    ['without interruption', false, Infinity],
    ['disconnected at random and resumed by cursor', true, Infinity],
    ['too slow, disconnected and resumed', true, 2500],
  ])('ends with the newest state, numbers ascending: %s', (_, mayCut, maxBytes) => {
    let histories = 0;
    fc.assert(
      fc.property(events, (script) => {
        const scene = createScene(encoding, maxBytes);
        for (const event of script) if (mayCut || event.what !== 'cut') scene.play(event);
        scene.finish();
        expect(scene.problems).toEqual([]);
        expect(shownBy(scene.timeline)).toEqual(scene.expected());
        histories += scene.histories();
      }),
      { numRuns: 80 },
    );
    expect(histories > 0).toBe(maxBytes !== Infinity);
  });
});
