import type { SessionMessage } from '@liminal/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChangeBody, keyOf } from '../delivery/change.ts';
import { createLedger } from '../delivery/ledger.ts';
import { createOutbox } from '../delivery/outbox.ts';
import { historyOf, onTheWire, shownBy, timelineOf } from '../delivery/testing/reader.ts';
import { createScriptedSession, type Step } from '../delivery/testing/scripted-session.ts';
import { fold } from './fold.ts';
import { nothing } from './folded.ts';
import { createRows } from './rows.ts';
import { rowsOfTurn } from './rows-of-turn.ts';
import { createTimeline, itemsInOrder, itemsOfTurn } from './timeline.ts';

const epoch = 'e1';
const steps = fc.array(fc.record({ what: fc.nat(11), which: fc.nat(9), size: fc.nat(12) }), {
  maxLength: 100,
  size: 'max',
});
const encodings = fc.constantFrom('full' as const, 'append' as const);
const check = { numRuns: 60 };

/** A session as one reader receives it, with a history in between, and a history of its final state. */
function deliver(
  script: readonly Step[],
  encoding: 'full' | 'append',
): { messages: SessionMessage[]; end: SessionMessage } {
  const session = createScriptedSession();
  const ledger = createLedger(epoch);
  const newest = new Map<string, ChangeBody>();
  const outbox = createOutbox({ encoding, maxBytes: Infinity });
  const messages: SessionMessage[] = [historyOf([], epoch, 0)];
  for (const [at, step] of script.entries()) {
    const body = session(step);
    if (!body) continue;
    newest.set(keyOf(body), body);
    outbox.push(ledger.record(body));
    outbox.flushHeld();
    messages.push(...outbox.take().map((message) => onTheWire(message, epoch)));
    if (at === 40) messages.push(historyOf(newest.values(), epoch, ledger.seq));
  }
  return { messages, end: historyOf(newest.values(), epoch, ledger.seq) };
}

test('gives the same result if each message, or everything, arrives twice', () => {
  fc.assert(
    fc.property(steps, encodings, (script, encoding) => {
      const { messages } = deliver(script, encoding);
      const once = shownBy(timelineOf(...messages));
      expect(shownBy(timelineOf(...messages.flatMap((message) => [message, message])))).toEqual(once);

      const timeline = timelineOf(...messages);
      const items = [...itemsInOrder(timeline)];
      expect(messages.map((message) => fold(timeline, message)).filter((changed) => changed !== nothing)).toEqual([]);
      expect([...itemsInOrder(timeline)].every((item, at) => item === items[at])).toBe(true);
      expect(shownBy(timeline)).toEqual(once);
    }),
    check,
  );
});

test('changes nothing for a history after live messages that say the same', () => {
  fc.assert(
    fc.property(steps, encodings, (script, encoding) => {
      const { messages, end } = deliver(script, encoding);
      const timeline = timelineOf(...messages);
      const items = [...itemsInOrder(timeline)];
      expect(fold(timeline, end)).toBe(nothing);
      expect([...itemsInOrder(timeline)].every((item, at) => item === items[at])).toBe(true);
      expect(shownBy(timeline)).toEqual(shownBy(timelineOf(end)));
    }),
    check,
  );
});

test('changes nothing when old messages arrive again in between', () => {
  fc.assert(
    fc.property(steps, encodings, fc.array(fc.tuple(fc.nat(), fc.nat())), (script, encoding, again) => {
      const { messages } = deliver(script, encoding);
      const disturbed = [...messages];
      for (const [from, to] of again) {
        const at = from % disturbed.length;
        disturbed.splice(at + 1 + (to % (disturbed.length - at)), 0, ...disturbed.slice(at, at + 1));
      }
      expect(shownBy(timelineOf(...disturbed))).toEqual(shownBy(timelineOf(...messages)));
    }),
    check,
  );
});

test('keeps items in order within their turn, and incremental rows equal to rebuilt ones', () => {
  fc.assert(
    fc.property(steps, encodings, (script, encoding) => {
      const timeline = createTimeline();
      const rows = createRows();
      for (const message of deliver(script, encoding).messages) rows.update(timeline, fold(timeline, message));
      for (const turnId of timeline.turnIds) {
        const orders = itemsOfTurn(timeline, turnId).map((item) => item.order ?? Infinity);
        expect(orders).toEqual(orders.toSorted((a, b) => a - b));
      }
      const anew = timeline.turnIds.flatMap((turnId) =>
        rowsOfTurn(timeline.turns.get(turnId)?.record, itemsOfTurn(timeline, turnId)),
      );
      expect(rows.chunks.flatMap((chunk) => chunk.rows)).toEqual(anew);
      expect(Array.from({ length: rows.length }, (_, at) => rows.at(at))).toEqual(anew);
    }),
    check,
  );
});
