import type { Accumulator } from '@liminal/domain/accumulate/accumulator';
import type { CallPatch } from '@liminal/domain/accumulate/call-items';
import type { Emission } from '@liminal/domain/accumulate/emission';
import type { FileDiff } from '@liminal/contracts';
import { present } from '../../kit/read-json.ts';
import type { ItemPlaces } from '../../acp/translate/item-places.ts';
import type { NativeCall } from './native-items.ts';

/** Tool calls, created from the first message that names them. */
export type CallTranslation = {
  started(call: NativeCall, at: number): readonly Emission[];
  completed(call: NativeCall, at: number): readonly Emission[];
  output(callId: string, text: string, at: number): readonly Emission[];
  changes(callId: string, diffs: readonly FileDiff[], at: number): readonly Emission[];
  /** Codex asks a user about this call. */
  ask(callId: string, at: number): readonly Emission[];
  answered(callId: string, accepted: boolean, at: number): readonly Emission[];
  /** Ends the calls a user refused and Codex never mentioned again. */
  closeRefused(at: number): readonly Emission[];
  /** The turn was cancelled or failed: its calls are over. */
  forgetOpen(): void;
  hasOpen(): boolean;
  /** What is known of an open call, for a request with fewer details. */
  describe(callId: string): NativeCall | undefined;
  open(): readonly NativeCall[];
};

type OpenCall = { call: NativeCall; readyAt: number; refused: boolean; hasOutput: boolean };

const refusedOutput = 'Refused.';

export function createCallTranslation(accumulator: Accumulator, places: ItemPlaces): CallTranslation {
  const open = new Map<string, OpenCall>();

  function begin(call: NativeCall, at: number): readonly Emission[] {
    if (accumulator.knowsCall(call.callId)) return [];
    open.set(call.callId, { call, readyAt: at, refused: false, hasOutput: false });
    return accumulator.startCall(
      { ...places.next(), callId: call.callId, ...patchOf(call), toolName: call.toolName },
      at,
    );
  }

  function started(call: NativeCall, at: number): readonly Emission[] {
    const known = open.get(call.callId);
    if (!known) return begin(call, at);
    const patch = newsOf(known.call, call);
    known.call = call;
    return accumulator.updateCall(call.callId, patch, at);
  }

  function end(known: OpenCall, call: NativeCall, at: number): readonly Emission[] {
    open.delete(call.callId);
    const isRefused = call.state === 'declined' || (known.refused && call.state !== 'completed');
    const durationMs = call.durationMs || at - known.readyAt;
    const output = call.output ?? (isRefused && !known.hasOutput ? refusedOutput : undefined);
    const result = {
      ...newsOf(known.call, call),
      isError: isRefused || call.state === 'failed',
      ...present({ output }),
      ...(durationMs > 0 && { durationMs }),
    };
    return accumulator.finishCall(call.callId, result, at);
  }

  return {
    started,
    completed(call, at) {
      const begun = open.has(call.callId) ? [] : begin(call, at);
      const known = open.get(call.callId);
      return known ? [...begun, ...end(known, call, at)] : begun;
    },
    output(callId, text, at) {
      const known = open.get(callId);
      if (!known || text === '') return [];
      known.hasOutput = true;
      return accumulator.appendOutput(callId, text, at);
    },
    changes(callId, diffs, at) {
      const known = open.get(callId);
      if (!known || diffs.length === 0) return [];
      known.call = { ...known.call, diffs };
      return accumulator.updateCall(callId, { diffs: [...diffs] }, at);
    },
    ask: (callId, at) => (open.has(callId) ? accumulator.updateCall(callId, { awaitingPermission: true }, at) : []),
    answered(callId, accepted, at) {
      const known = open.get(callId);
      if (!known) return [];
      known.refused = !accepted;
      known.readyAt = at;
      return accumulator.updateCall(callId, { awaitingPermission: false }, at);
    },
    closeRefused: (at) =>
      [...open.values()].flatMap((known) =>
        known.refused ? end(known, { ...known.call, state: 'declined' }, at) : [],
      ),
    forgetOpen: () => open.clear(),
    hasOpen: () => open.size > 0,
    describe: (callId) => open.get(callId)?.call,
    open: () => [...open.values()].map(({ call }) => call),
  };
}

function patchOf(call: NativeCall): CallPatch {
  return present({
    toolName: call.toolName,
    toolArguments: call.toolArguments,
    title: call.title,
    toolKind: call.kind,
    diffs: call.diffs && [...call.diffs],
    locations: call.locations && [...call.locations],
  });
}

/** Only the fields a later message changes, so a repeated one emits nothing. */
function newsOf(known: NativeCall, call: NativeCall): CallPatch {
  const before: Record<string, unknown> = patchOf(known);
  const news = Object.entries(patchOf(call)).filter(
    ([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries(news);
}
