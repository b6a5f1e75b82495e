import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAccumulator, type Accumulator } from './accumulator.ts';
import { createEmissionReader, textOf } from './testing/emission-invariants.ts';
import type { Emission } from './emission.ts';

const failure = { code: 'MODEL_ERROR', message: 'Broke off' };
const turnIds = ['t1', 't2'] as const;

/** Pieces as agents send them: words, spaces, scripts without spaces, and surrogate pairs cut in two. */
const piece = fc.oneof(
  fc.constantFrom('a', ' ', 'word ', '\n', '日本', '😀', '\ud83d', '\ude00', '', 'one two three four five six '),
  fc.array(fc.nat(0xffff), { maxLength: 4 }).map((units) => String.fromCharCode(...units)),
);
const turnId = fc.constantFrom(...turnIds);
const textId = fc.constantFrom('m1', 'm2', 'm3', 'late');
const callId = fc.constantFrom('c1', 'c2', 'c3');
const outcome = fc.constantFrom(
  { status: 'completed' } as const,
  { status: 'cancelled' } as const,
  { status: 'failed', errorCode: 'MODEL_ERROR', errorMessage: 'Broke off' } as const,
);

/** One step, possible after any other. An id always belongs to the same turn, as in the contract. */
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('startTurn' as const), turnId }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('startText' as const),
      turnId,
      textId,
      type: fc.constantFrom('message' as const, 'thinking' as const),
      content: fc.option(piece, { nil: undefined }),
    }),
  },
  { weight: 20, arbitrary: fc.record({ do: fc.constant('appendText' as const), turnId, textId, piece }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('finishText' as const),
      turnId,
      textId,
      final: fc.constantFrom('none' as const, 'extended' as const, 'other' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('failItem' as const), turnId, textId }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dropItem' as const), turnId, textId }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('putNote' as const), turnId, content: piece }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('startCall' as const), turnId, callId }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('updateCall' as const), callId, title: piece }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('appendOutput' as const), callId, piece }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('setOutput' as const), callId, piece }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('finishCall' as const),
      turnId,
      callId,
      output: fc.option(piece, { nil: undefined }),
      isError: fc.option(fc.boolean(), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('failCall' as const), callId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('putPlan' as const), turnId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('endTurn' as const), turnId, outcome }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('tick' as const), after: fc.nat(1500) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('destroy' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const options = fc.record({
  batchGradient: fc.constantFrom([10, 20, 40, 80, 120], [1], [0], [2, 5]),
  maxLatencyMs: fc.constantFrom(Number.POSITIVE_INFINITY, 50, 0),
  firstLatencyMs: fc.constantFrom(undefined, 20, 0),
  announceArguments: fc.boolean(),
});

/** The expected text: everything appended while the item was open. Knows nothing about batching. */
function createTextModel() {
  const open = new Map<string, { turnId: string; text: string }>();
  const used = new Set<string>();
  const over = new Set<string>();
  return {
    wasUsed: (itemId: string) => used.has(itemId),
    textOf: (itemId: string) => open.get(itemId)?.text,
    start(itemId: string, turn: string, late: boolean, text: string) {
      if (used.has(itemId) || (over.has(turn) && !late)) return;
      used.add(itemId);
      open.set(itemId, { turnId: turn, text });
    },
    append(itemId: string, text: string) {
      const item = open.get(itemId);
      if (item) item.text += text;
    },
    end: (itemId: string) => open.delete(itemId),
    endTurn(turn: string) {
      if (over.has(turn)) return;
      over.add(turn);
      for (const [itemId, item] of open) if (item.turnId === turn) open.delete(itemId);
    },
  };
}

/** Runs the steps like a driver and returns every problem in the emissions. */
function run(core: Accumulator, steps: readonly Step[]): string[] {
  const reader = createEmissionReader((itemId) => itemId.endsWith(':late'));
  const model = createTextModel();
  const problems: string[] = [];
  let now = 0;
  let notes = 0;

  const take = (itemId: string | undefined, emissions: readonly Emission[]) => {
    for (const emission of emissions) {
      reader.read([emission]);
      if (emission.kind !== 'upsert' || emission.upsert.itemId !== itemId) continue;
      const expected = model.textOf(itemId);
      if (expected !== textOf(emission.upsert)) problems.push(`${itemId}: does not say all that was appended`);
    }
  };

  for (const one of steps) {
    now += 1;
    const itemId = 'textId' in one ? `${one.turnId}:${one.textId}` : '';
    switch (one.do) {
      case 'startTurn':
        take(undefined, core.startTurn({ turnId: one.turnId, modelId: 'large' }, now));
        break;
      case 'startText': {
        const late = one.textId === 'late';
        // Drivers guarantee that the id of a late item is new.
        if (late && model.wasUsed(itemId)) break;
        model.start(itemId, one.turnId, late, one.content ?? '');
        take(itemId, core.startText({ itemId, turnId: one.turnId, type: one.type, content: one.content, late }, now));
        break;
      }
      case 'appendText':
        model.append(itemId, one.piece);
        take(itemId, core.appendText(itemId, one.piece, now));
        break;
      case 'finishText': {
        const rest = one.final === 'extended' ? ' the end' : '';
        const final = { none: undefined, extended: `${model.textOf(itemId) ?? ''} the end`, other: '\0' }[one.final];
        model.append(itemId, rest);
        // A final text that doesn't extend the text so far is ignored, unless there is no text yet.
        if (one.final === 'other' && model.textOf(itemId) === '') model.append(itemId, '\0');
        take(itemId, core.finishText(itemId, now, final));
        model.end(itemId);
        break;
      }
      case 'failItem':
        take(itemId, core.failItem(itemId, failure, now));
        model.end(itemId);
        break;
      case 'dropItem':
        take(itemId, core.dropItem(itemId));
        model.end(itemId);
        break;
      case 'putNote': {
        const note = { itemId: `${one.turnId}:n${(notes += 1)}:0`, turnId: one.turnId, content: one.content };
        take(undefined, core.putMessage({ ...note, origin: 'system' }, now));
        break;
      }
      case 'startCall':
        take(undefined, core.startCall({ itemId: `${one.turnId}:${one.callId}`, ...one, toolName: 'run' }, now));
        break;
      case 'updateCall':
        take(undefined, core.updateCall(one.callId, { title: one.title, toolArguments: { title: one.title } }, now));
        break;
      case 'appendOutput':
        take(undefined, core.appendOutput(one.callId, one.piece, now));
        break;
      case 'setOutput':
        take(undefined, core.setOutput(one.callId, one.piece, now));
        break;
      case 'finishCall': {
        const place = { itemId: `${one.turnId}:unknown-${one.callId}`, turnId: one.turnId };
        take(undefined, core.finishCall(one.callId, { output: one.output, isError: one.isError }, now, place));
        break;
      }
      case 'failCall':
        take(undefined, core.failCall(one.callId, failure, now));
        break;
      case 'putPlan':
        take(undefined, core.putPlan({ itemId: `${one.turnId}:plan`, turnId: one.turnId, entries: [] }, now));
        break;
      case 'endTurn':
        for (const emission of core.endTurn(one.turnId, one.outcome, now)) {
          take(emission.kind === 'upsert' && isText(emission) ? emission.upsert.itemId : undefined, [emission]);
        }
        model.endTurn(one.turnId);
        break;
      case 'tick': {
        const due = core.nextDue();
        now += one.after;
        const emissions = core.tick(now);
        for (const emission of emissions) {
          take(emission.kind === 'upsert' && isText(emission) ? emission.upsert.itemId : undefined, [emission]);
        }
        if (emissions.length > 0 !== (due !== null && due <= now)) problems.push('tick and nextDue disagree');
        break;
      }
      case 'destroy':
        for (const emission of core.destroy(now)) {
          if (emission.kind === 'upsert' && emission.upsert.status !== 'error')
            problems.push('destroyed without error');
          take(emission.kind === 'upsert' && isText(emission) ? emission.upsert.itemId : undefined, [emission]);
        }
        problems.push(...saysNothing(core, now));
        return [...problems, ...reader.problems];
    }
  }
  return [...problems, ...reader.problems];
}

const isText = (emission: Emission & { kind: 'upsert' }) =>
  emission.upsert.type === 'message' || emission.upsert.type === 'thinking';

function saysNothing(core: Accumulator, now: number): string[] {
  const said = [
    ...core.tick(now + 10_000),
    ...turnIds.flatMap((id) => core.endTurn(id, { status: 'completed' }, now)),
    ...core.destroy(now),
  ];
  return said.length > 0 || core.nextDue() !== null ? ['spoke after it was destroyed'] : [];
}

describe('accumulator with any sequence of steps', () => {
  it('keeps every invariant of items, turns and appended text', () => {
    fc.assert(
      fc.property(options, fc.array(step, { maxLength: 150, size: 'max' }), (chosen, steps) => {
        expect(run(createAccumulator({ sessionId: 's1', providerId: 'demo', ...chosen }), steps)).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('ends every text as the concatenation of its deltas, however they are cut and interleaved', () => {
    const texts = fc.array(fc.array(piece, { maxLength: 30, size: 'max' }), { minLength: 1, maxLength: 4 });
    const order = fc.array(fc.nat(3), { maxLength: 120, size: 'max' });
    fc.assert(
      fc.property(options, texts, order, (chosen, all, turns) => {
        const core = createAccumulator({ sessionId: 's1', providerId: 'demo', ...chosen });
        const reader = createEmissionReader();
        const queues = all.map((pieces) => [...pieces]);
        const feed = (index: number, at: number) => {
          const next = queues[index]?.shift();
          if (next !== undefined) reader.read(core.appendText(`m${index}`, next, at));
        };
        for (const index of all.keys())
          reader.read(core.startText({ itemId: `m${index}`, turnId: 't1', type: 'message' }, 0));
        for (const [at, index] of turns.entries()) feed(index, at);
        for (const [index, queue] of queues.entries()) while (queue.length > 0) feed(index, 500);
        reader.read(core.endTurn('t1', { status: 'completed' }, 1000));
        expect(reader.problems).toEqual([]);
        for (const [index, pieces] of all.entries()) {
          expect(reader.items.get(`m${index}`)).toMatchObject({ status: 'complete', content: pieces.join('') });
        }
      }),
      { numRuns: 500 },
    );
  });
});
