import type { ConversationEvent } from '../conversation.ts';
import type { Usage, Voice } from '../steps.ts';

/** A tool the agent put on offer. Freeform tools take raw text instead of JSON. */
export interface OfferedTool {
  readonly name: string;
  readonly namespace?: string;
  readonly freeform?: boolean;
  readonly schema?: unknown;
}

export interface ToolCall {
  readonly name: string;
  readonly namespace?: string;
  readonly input:
    | { readonly kind: 'json'; readonly value: unknown }
    | { readonly kind: 'freeform'; readonly text: string };
}

/** What the stand-in needs of a request, read from whichever wire format it came in. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly events: readonly ConversationEvent[];
  readonly tools: readonly OfferedTool[];
  /** The JSON schema the answer must fit, when the agent asks for one. */
  readonly schema?: unknown;
  /** Where Claude Code wants the plan written while it is in plan mode. */
  readonly planFile?: string;
  /** Whatever the agent sends to tell its conversations apart. */
  readonly conversation: string;
}

export type StopReason = 'end' | 'tool' | 'max-tokens';

/** Encodes one streamed reply: every method gives the bytes to send, and remembers only this reply. */
export interface ReplyEncoder {
  open(): string;
  begin(voice: Voice): string;
  delta(piece: string): string;
  end(): string;
  call(call: ToolCall, id: string): string;
  fail(code: string, message: string): string;
  close(usage: Usage, stop: StopReason): string;
}

/** A reply sent in one piece, for requests that do not stream. */
export interface WholeReply {
  readonly blocks: readonly (
    | { readonly voice: Voice; readonly text: string }
    | { readonly call: ToolCall; readonly id: string }
  )[];
  readonly usage: Usage;
  readonly stop: StopReason;
}

/** One vendor's way of talking to a model over HTTP. */
export interface WireFormat {
  /** Whether a POST to this path is a model call in this format. */
  accepts(path: string): boolean;
  read(body: unknown, path: string): ModelRequest;
  encode(request: ModelRequest): ReplyEncoder;
  whole(request: ModelRequest, reply: WholeReply): unknown;
  error(status: number, message: string): unknown;
}

/** The arguments of a call as an object, also where the tool takes raw text but the wire has only JSON. */
export const jsonInput = (call: ToolCall): unknown =>
  call.input.kind === 'json' ? call.input.value : { input: call.input.text };

export const uniqueId = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
