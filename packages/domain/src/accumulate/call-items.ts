import type { Core } from './core.ts';
import type { Emission } from './emission.ts';
import { createGrowingText } from './growing-text.ts';
import { newItem, type CallFields, type CallItem, type ItemPlace } from './open-item.ts';
import type { ItemFailure } from './emit-item.ts';

/** Newly known fields of a call. A field that is absent or `undefined` stays unchanged. */
export type CallPatch = Partial<Omit<CallFields, 'toolOutputIsError'>>;

export type CallStart = ItemPlace &
  CallPatch & {
    readonly callId: string;
    readonly toolName: string;
    /** The id belonged to a call that has ended, but this is a different call. */
    readonly reusesId?: true | undefined;
  };

export type CallResult = CallPatch & {
  /** The full output; by default the output that has grown so far. */
  readonly output?: string | undefined;
  readonly isError?: boolean | undefined;
};

/** Tool calls, found by `callId` whichever turn is running. Input for calls that aren't open is ignored. */
export type CallItems = {
  startCall(start: CallStart, at: number): readonly Emission[];
  updateCall(callId: string, patch: CallPatch, at: number): readonly Emission[];
  /** Appends to the output, emitted in batches like any growing text. */
  appendOutput(callId: string, text: string, at: number): readonly Emission[];
  /** Replaces the full output, emitted at once. */
  setOutput(callId: string, text: string, at: number): readonly Emission[];
  /** Ends a call with its result. A result for a call that never started is shown as a call named `unknown`. */
  finishCall(callId: string, result: CallResult, at: number, unknown?: ItemPlace): readonly Emission[];
  failCall(callId: string, failure: ItemFailure, at: number): readonly Emission[];
  /** The call is open or has ended, so its result needs no new place. */
  knowsCall(callId: string): boolean;
};

export function createCallItems(core: Core): CallItems {
  const open = (start: CallStart, at: number): CallItem | undefined => {
    const isKnown = start.reusesId ? core.items.findCall(start.callId) : core.items.knowsCall(start.callId);
    if (isKnown || !core.mayOpen(start)) return undefined;
    const call: CallItem = {
      ...newItem(start, at),
      type: 'tool_call',
      callId: start.callId,
      fields: { toolName: start.toolName, toolArguments: {} },
      hasOutput: false,
      output: createGrowingText(core.pacing),
    };
    patchCall(call, start);
    core.items.open(call);
    return call;
  };

  return {
    startCall(start, at) {
      const call = open(start, at);
      return call ? [core.items.emit(call, at)] : [];
    },
    updateCall(callId, patch, at) {
      const call = core.items.findCall(callId);
      if (!call) return [];
      const changed = patchCall(call, patch);
      if (changed.length === 0) return [];
      call.sourceAt = at;
      const onlyArguments = changed.every((field) => field === 'toolArguments');
      return onlyArguments && !core.announceArguments ? [] : [core.items.emit(call, at)];
    },
    appendOutput(callId, text, at) {
      const call = core.items.findCall(callId);
      if (!call || text === '') return [];
      call.sourceAt = at;
      call.hasOutput = true;
      const enough = call.output.append(text, at);
      if (!core.announceArguments) return [];
      if (enough) return [core.items.emit(call, at)];
      core.items.await(call);
      return [];
    },
    setOutput(callId, text, at) {
      const call = core.items.findCall(callId);
      if (!call || (call.hasOutput && call.output.current() === text)) return [];
      call.sourceAt = at;
      call.hasOutput = true;
      call.output.replace(text, at);
      return core.announceArguments ? [core.items.emit(call, at)] : [];
    },
    finishCall(callId, result, at, unknown) {
      const call = core.items.findCall(callId) ?? (unknown && open({ ...unknown, callId, toolName: 'unknown' }, at));
      if (!call) return [];
      const { output, isError, ...patch } = result;
      patchCall(call, { ...patch, toolOutputIsError: isError });
      if (output !== undefined) {
        call.hasOutput = true;
        call.output.replace(output, at);
      }
      call.sourceAt = at;
      return [core.items.complete(call, at)];
    },
    failCall(callId, failure, at) {
      const call = core.items.findCall(callId);
      if (!call) return [];
      call.sourceAt = at;
      return [core.items.fail(call, failure, at)];
    },
    knowsCall: (callId) => core.items.knowsCall(callId),
  };
}

const callFields = [
  'toolName',
  'toolArguments',
  'title',
  'toolKind',
  'diffs',
  'locations',
  'questions',
  'awaitingPermission',
  'durationMs',
  'toolOutputIsError',
] as const satisfies readonly (keyof CallFields)[];

/** Applies the patch and returns the fields it changed. */
function patchCall(call: CallItem, patch: Partial<CallFields>): readonly (keyof CallFields)[] {
  const changed = callFields.filter((field) => patch[field] !== undefined && patch[field] !== call.fields[field]);
  if (changed.length === 0) return changed;
  const news = Object.fromEntries(changed.map((field) => [field, patch[field]]));
  call.fields = { ...call.fields, ...news };
  call.changed = true;
  return changed;
}
