import { z } from 'zod';
import { fail, ok, type Result } from '../failure.ts';
import { ToolArguments, MessageOrigin } from './upsert.ts';
import { Usage } from './turn-event.ts';

/**
 * The event vocabulary for sources that send deltas rather than upserts. docs/provenance.md says what a later store
 * derives itself.
 */
const StreamError = z.object({ code: z.string().min(1), message: z.string() });

const ResponseStart = z.object({
  type: z.literal('response_start'),
  modelId: z.string().min(1),
  providerId: z.string().min(1),
});

const itemStartBase = {
  type: z.literal('item_start'),
  itemId: z.string().min(1),
  initialContent: z.string().optional(),
};
const ItemStart = z.discriminatedUnion('itemType', [
  z.object({ ...itemStartBase, itemType: z.literal('message') }),
  z.object({ ...itemStartBase, itemType: z.literal('reasoning') }),
  z.object({
    ...itemStartBase,
    itemType: z.literal('function_call'),
    name: z.string().min(1),
    callId: z.string().min(1),
  }),
  z.object({ ...itemStartBase, itemType: z.literal('function_call_output'), callId: z.string().min(1).optional() }),
]);

const ItemDelta = z.object({ type: z.literal('item_delta'), itemId: z.string().min(1), deltaContent: z.string() });

export const FinalItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), content: z.string(), origin: MessageOrigin }),
  z.object({ type: z.literal('reasoning'), content: z.string(), providerId: z.string().min(1) }),
  z.object({
    type: z.literal('function_call'),
    name: z.string().min(1),
    callId: z.string().min(1),
    arguments: ToolArguments,
  }),
  z.object({
    type: z.literal('function_call_output'),
    callId: z.string().min(1),
    output: z.string(),
    isError: z.boolean(),
  }),
]);
export type FinalItem = z.infer<typeof FinalItem>;

const ItemDone = z.object({ type: z.literal('item_done'), itemId: z.string().min(1), finalItem: FinalItem });
const ItemError = z.object({ type: z.literal('item_error'), itemId: z.string().min(1), error: StreamError });
const ItemCancelled = z.object({
  type: z.literal('item_cancelled'),
  itemId: z.string().min(1),
  reason: z.string().optional(),
});
const ResponseDone = z.object({
  type: z.literal('response_done'),
  status: z.enum(['completed', 'cancelled', 'error']),
  finishReason: z.string().optional(),
  usage: Usage.optional(),
  error: StreamError.optional(),
});
const ResponseError = z.object({ type: z.literal('response_error'), error: StreamError });

export const StreamEventPayload = z.union([
  ResponseStart,
  ItemStart,
  ItemDelta,
  ItemDone,
  ItemError,
  ItemCancelled,
  ResponseDone,
  ResponseError,
]);
export type StreamEventPayload = z.infer<typeof StreamEventPayload>;

const payloadByType = {
  response_start: ResponseStart,
  item_start: ItemStart,
  item_delta: ItemDelta,
  item_done: ItemDone,
  item_error: ItemError,
  item_cancelled: ItemCancelled,
  response_done: ResponseDone,
  response_error: ResponseError,
} as const;

const StreamEventType = z.enum(
  Object.keys(payloadByType) as [StreamEventPayload['type'], ...StreamEventPayload['type'][]],
);

const envelope = z.object({
  eventId: z.string().min(1),
  timestamp: z.iso.datetime(),
  turnId: z.string().min(1),
  sessionId: z.string().min(1),
  type: StreamEventType,
  payload: z.looseObject({ type: StreamEventType }),
});

/** One canonical event. The schema of its own type checks the payload, so an issue names the exact field. */
export const StreamEvent = envelope.transform((event, context) => {
  if (event.type !== event.payload.type) {
    context.addIssue({
      code: 'custom',
      path: ['payload', 'type'],
      message: `Must equal the envelope's type "${event.type}"`,
    });
    return z.NEVER;
  }
  const payload = payloadByType[event.type].safeParse(event.payload);
  if (payload.success) return { ...event, payload: payload.data as StreamEventPayload };
  for (const issue of payload.error.issues) {
    context.addIssue({ ...issue, path: ['payload', ...issue.path] } as never);
  }
  return z.NEVER;
});
export type StreamEvent = z.output<typeof StreamEvent>;

/** Parses one canonical event; the error for a malformed one names the field. */
export function readStreamEvent(input: unknown): Result<StreamEvent, 'INVALID_STREAM_EVENT'> {
  const parsed = StreamEvent.safeParse(input);
  return parsed.success ? ok(parsed.data) : fail('INVALID_STREAM_EVENT', z.prettifyError(parsed.error));
}
