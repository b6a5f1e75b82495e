import type { ConversationEvent } from '../conversation.ts';
import type { Usage, Voice } from '../steps.ts';

/** A tool the agent offers. Freeform tools take raw text instead of JSON. */
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

/** What the stand-in needs from a request, in any wire format. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly events: readonly ConversationEvent[];
  readonly tools: readonly OfferedTool[];
  /** The JSON schema the answer must match, if the agent requests one. */
  readonly schema?: unknown;
  /** Where Claude Code wants the plan written while it is in plan mode. */
  readonly planFile?: string;
  /** The value the agent sends to distinguish its conversations. */
  readonly conversation: string;
}

export type StopReason = 'end' | 'tool' | 'max-tokens';

/** Encodes one streamed reply: every method returns the bytes to send, and the state covers only this reply. */
export interface ReplyEncoder {
  open(): string;
  begin(voice: Voice): string;
  delta(piece: string): string;
  end(): string;
  call(call: ToolCall, id: string): string;
  fail(code: string, message: string): string;
  close(usage: Usage, stop: StopReason): string;
}

/** A reply sent in one piece, for requests that don't stream. */
export interface WholeReply {
  readonly blocks: readonly (
    | { readonly voice: Voice; readonly text: string }
    | { readonly call: ToolCall; readonly id: string }
  )[];
  readonly usage: Usage;
  readonly stop: StopReason;
}

/** One vendor's HTTP protocol for model calls. */
export interface WireFormat {
  /** Whether a POST to this path is a model call in this format. */
  accepts(path: string): boolean;
  read(body: unknown, path: string): ModelRequest;
  encode(request: ModelRequest): ReplyEncoder;
  whole(request: ModelRequest, reply: WholeReply): unknown;
  error(status: number, message: string): unknown;
}

/** The arguments of a call as an object, even where the tool takes raw text but the wire only has JSON. */
export const jsonInput = (call: ToolCall): unknown =>
  call.input.kind === 'json' ? call.input.value : { input: call.input.text };

export const uniqueId = (prefix: string): string => `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
