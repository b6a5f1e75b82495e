import { readStreamEvent, type StreamEvent, type StreamEventPayload } from '@liminal/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../time/iso-time.ts';
import { createEmissionReader } from './testing/emission-invariants.ts';
import { createStreamEventProcessor } from './process-stream-event.ts';

const error = { code: 'MODEL_ERROR', message: 'Broke off' };
const words = fc.constantFrom('a', ' ', 'one two three four ', '\ud83d', '\ude00', '{"path":', '"a"}', '');
const itemId = fc.constantFrom('i1', 'i2', 'i3', 'i4');
const callId = fc.constantFrom('c1', 'c2');
const constant = <const T>(value: T) => fc.constant(value);

const payload: fc.Arbitrary<StreamEventPayload> = fc.oneof(
  fc.record({ type: constant('response_start'), modelId: constant('large'), providerId: constant('demo') }),
  fc.record({
    type: constant('item_start'),
    itemId,
    itemType: fc.constantFrom(
      'message' as const,
      'reasoning' as const,
      'function_call' as const,
      'function_call_output' as const,
    ),
    initialContent: words,
    name: constant('run'),
    callId,
  }),
  fc.record({ type: constant('item_delta'), itemId, deltaContent: words }),
  fc.record({
    type: constant('item_done'),
    itemId,
    finalItem: fc.oneof(
      fc.record({
        type: constant('message'),
        content: words,
        origin: fc.constantFrom('agent' as const, 'user' as const),
      }),
      fc.record({ type: constant('reasoning'), content: words, providerId: constant('demo') }),
      fc.record({ type: constant('function_call'), name: constant('run'), callId, arguments: constant({ path: 'a' }) }),
      fc.record({ type: constant('function_call_output'), callId, output: words, isError: fc.boolean() }),
    ),
  }),
  fc.record({ type: constant('item_error'), itemId, error: constant(error) }),
  fc.record({ type: constant('item_cancelled'), itemId }),
  fc.record({
    type: constant('response_done'),
    status: fc.constantFrom('completed' as const, 'cancelled' as const, 'error' as const),
  }),
  fc.record({ type: constant('response_error'), error: constant(error) }),
) as fc.Arbitrary<StreamEventPayload>;

function event(turnId: string, content: StreamEventPayload, at: number): StreamEvent {
  // An item id always belongs to the same turn, as in the contract.
  const own = 'itemId' in content ? { ...content, itemId: `${turnId}:${content.itemId}` } : content;
  const read = readStreamEvent({
    eventId: `e${at}`,
    timestamp: isoTime(at),
    turnId,
    sessionId: 's1',
    type: content.type,
    payload: own,
  });
  if (!read.ok) throw new Error(read.failure.message);
  return read.value;
}

describe('process stream event with any events', () => {
  it('TC-5.1c: keeps every invariant, and emits a call at most twice', () => {
    const stream = fc.array(fc.tuple(fc.constantFrom('t1', 't2'), payload), { maxLength: 100, size: 'max' });
    fc.assert(
      fc.property(stream, fc.constantFrom([10, 20], [1], [0]), (events, batchGradient) => {
        const processor = createStreamEventProcessor({
          sessionId: 's1',
          providerId: 'demo',
          batchGradient,
          maxLatencyMs: 5,
        });
        const reader = createEmissionReader();
        const callEmissions = new Map<string, number>();
        const batches = [
          ...events.map(([turnId, content], at) => [
            ...processor.process(event(turnId, content, at), at),
            ...processor.tick(at),
          ]),
          processor.destroy(events.length),
        ];
        for (const emissions of batches) {
          reader.read(emissions);
          for (const emission of emissions) {
            if (emission.kind !== 'upsert' || emission.upsert.type !== 'tool_call') continue;
            const { itemId: id } = emission.upsert;
            callEmissions.set(id, (callEmissions.get(id) ?? 0) + 1);
          }
        }
        expect(reader.problems).toEqual([]);
        expect([...callEmissions].filter(([, count]) => count > 2)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
