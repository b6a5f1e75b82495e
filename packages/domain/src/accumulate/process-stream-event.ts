import type { FinalItem, StreamEvent, StreamEventPayload, ToolArguments } from '@liminal/contracts';
import { createAccumulator, type Accumulator, type AccumulatorOptions } from './accumulator.ts';
import type { Emission } from './emission.ts';
import { readOutcome } from './stream-outcome.ts';

export type StreamEventProcessorOptions = Omit<AccumulatorOptions, 'announceArguments'>;

/**
 * Turns canonical events into emissions: a thin driver of the accumulator for sources that send deltas.
 * `readStreamEvent` has already rejected malformed events. The order may be wrong: a delta for an item that never
 * started or has ended is ignored, since its text has no place; an `item_done` without a start is shown, since it is
 * complete. Events of another session are ignored.
 */
export type StreamEventProcessor = Pick<Accumulator, 'tick' | 'nextDue' | 'destroy'> & {
  process(event: StreamEvent, at: number): readonly Emission[];
};

type ItemStart = Extract<StreamEventPayload, { type: 'item_start' }>;
type Place = { readonly turnId: string; readonly itemId: string };

/** What the deltas of an item mean if they aren't text: a call's arguments or its output. */
type CallStream =
  | { readonly kind: 'arguments'; readonly turnId: string; readonly callId: string; readonly pieces: string[] }
  | { readonly kind: 'output'; readonly turnId: string; readonly callId: string };

export function createStreamEventProcessor(options: StreamEventProcessorOptions): StreamEventProcessor {
  const accumulator = createAccumulator({ ...options, announceArguments: false });
  const callStreams = new Map<string, CallStream>();
  const providerIds = new Map<string, string>();

  const start = (turnId: string, item: ItemStart, at: number): readonly Emission[] => {
    const { itemId, initialContent } = item;
    const place = { turnId, itemId };
    switch (item.itemType) {
      case 'message':
        return accumulator.startText({ ...place, type: 'message', content: initialContent }, at);
      case 'reasoning':
        return accumulator.startText({ ...place, ...thinking(turnId), content: initialContent }, at);
      case 'function_call': {
        const { name: toolName, callId } = item;
        const pieces = [initialContent ?? ''];
        const toolArguments = parseToolArguments(pieces.join(''));
        const emissions = accumulator.startCall({ ...place, callId, toolName, toolArguments }, at);
        if (emissions.length > 0) callStreams.set(itemId, { kind: 'arguments', turnId, callId, pieces });
        return emissions;
      }
      case 'function_call_output':
        if (item.callId === undefined) return [];
        callStreams.set(itemId, { kind: 'output', turnId, callId: item.callId });
        return accumulator.appendOutput(item.callId, initialContent ?? '', at);
    }
  };

  const append = (itemId: string, text: string, at: number): readonly Emission[] => {
    const stream = callStreams.get(itemId);
    if (!stream) return accumulator.appendText(itemId, text, at);
    if (stream.kind === 'output') return accumulator.appendOutput(stream.callId, text, at);
    stream.pieces.push(text);
    return [];
  };

  const finish = (place: Place, item: FinalItem, at: number): readonly Emission[] => {
    callStreams.delete(place.itemId);
    // A start for an open item changes nothing. For one that never started, it replaces the missing start.
    switch (item.type) {
      case 'message':
        return [
          ...accumulator.startText({ ...place, type: 'message', origin: item.origin }, at),
          ...accumulator.finishText(place.itemId, at, item.content, item.origin),
        ];
      case 'reasoning':
        return [
          ...accumulator.startText({ ...place, type: 'thinking', providerId: item.providerId }, at),
          ...accumulator.finishText(place.itemId, at, item.content),
        ];
      case 'function_call': {
        const { name: toolName, callId, arguments: toolArguments } = item;
        return [
          ...accumulator.startCall({ ...place, callId, toolName, toolArguments }, at),
          ...accumulator.updateCall(callId, { toolArguments }, at),
        ];
      }
      case 'function_call_output': {
        const { callId, output, isError } = item;
        return accumulator.finishCall(callId, { ...unfinishedArguments(callId), output, isError }, at, place);
      }
    }
  };

  /** A result may arrive before its call's `item_done`: then the arguments come from the deltas. */
  const unfinishedArguments = (callId: string) => {
    for (const [itemId, stream] of callStreams) {
      if (stream.kind !== 'arguments' || stream.callId !== callId) continue;
      callStreams.delete(itemId);
      return { toolArguments: parseToolArguments(stream.pieces.join('')) };
    }
    return {};
  };

  const fail = (itemId: string, error: { code: string; message: string }, at: number): readonly Emission[] => {
    const stream = callStreams.get(itemId);
    callStreams.delete(itemId);
    return stream ? accumulator.failCall(stream.callId, error, at) : accumulator.failItem(itemId, error, at);
  };

  const drop = (itemId: string): readonly Emission[] => {
    callStreams.delete(itemId);
    return accumulator.dropItem(itemId);
  };

  const end = (turnId: string): void => {
    providerIds.delete(turnId);
    for (const [itemId, stream] of callStreams) if (stream.turnId === turnId) callStreams.delete(itemId);
  };

  const thinking = (turnId: string) => ({ type: 'thinking' as const, providerId: providerIds.get(turnId) });

  return {
    process({ sessionId, turnId, payload }, at) {
      if (sessionId !== options.sessionId) return [];
      switch (payload.type) {
        case 'response_start':
          providerIds.set(turnId, payload.providerId);
          return accumulator.startTurn({ turnId, modelId: payload.modelId, providerId: payload.providerId }, at);
        case 'item_start':
          return start(turnId, payload, at);
        case 'item_delta':
          return append(payload.itemId, payload.deltaContent, at);
        case 'item_done':
          return finish({ turnId, itemId: payload.itemId }, payload.finalItem, at);
        case 'item_error':
          return fail(payload.itemId, payload.error, at);
        case 'item_cancelled':
          return drop(payload.itemId);
        case 'response_done':
        case 'response_error':
          end(turnId);
          return accumulator.endTurn(turnId, readOutcome(payload), at);
      }
    },
    tick: accumulator.tick,
    nextDue: accumulator.nextDue,
    destroy: accumulator.destroy,
  };
}

/** Parses a call's arguments. Invalid JSON, or anything but an object, becomes `{}` and the call continues. */
export function parseToolArguments(json: string): ToolArguments {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const isRecord = (value: unknown): value is ToolArguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
