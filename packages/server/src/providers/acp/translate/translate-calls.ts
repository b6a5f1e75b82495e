import type { FileDiff, ToolArguments } from '@liminal/contracts';
import type { Accumulator } from '@liminal/domain/accumulate/accumulator';
import type { CallPatch } from '@liminal/domain/accumulate/call-items';
import type { Emission } from '@liminal/domain/accumulate/emission';
import type { ItemPlaces } from './item-places.ts';
import { present } from '../../kit/read-json.ts';
import { type NativeCall, rawOutputText } from './native.ts';

/** Tool calls, created from the first message that names them. */
export type CallTranslation = {
  apply(call: NativeCall, at: number): readonly Emission[];
  /** The agent asks a user about this call; repeated fields never remove details from the card. */
  ask(call: NativeCall, at: number): readonly Emission[];
  answered(callId: string, accepted: boolean, at: number): readonly Emission[];
  /** Ends the calls a user refused and the agent never mentioned again. */
  closeRefused(at: number): readonly Emission[];
  /** The turn was cancelled or failed: its calls are over. */
  forgetOpen(): void;
  hasOpen(): boolean;
  /** What is known of an open call, for a permission request that says less. */
  describe(callId: string): CallDescription | undefined;
};

export type CallDescription = {
  readonly toolName: string;
  readonly title?: string | undefined;
  readonly toolArguments?: ToolArguments | undefined;
  readonly diffs?: readonly FileDiff[] | undefined;
};

type OpenCall = {
  -readonly [K in keyof CallDescription]: CallDescription[K];
} & {
  /** The last text of `content`, to distinguish growth from replacement. */
  text: string;
  hasShellOutput: boolean;
  refused: boolean;
  /** When its work started: at first sight, or when a user allowed it. */
  readyAt: number;
};

const unnamed = 'tool';

const isOver = ({ status }: NativeCall): boolean => status === 'completed' || status === 'failed';

export function createCallTranslation(accumulator: Accumulator, places: ItemPlaces): CallTranslation {
  const open = new Map<string, OpenCall>();
  /** The calls that ended in the running or last turn. */
  const ended = new Set<string>();
  let endedIn: string | undefined;

  function end(callIds: Iterable<string>): void {
    if (endedIn !== places.turnId) ended.clear();
    endedIn = places.turnId;
    for (const callId of callIds) {
      open.delete(callId);
      ended.add(callId);
    }
  }
  const endedInThisTurn = (callId: string): boolean => endedIn === places.turnId && ended.has(callId);

  function start(call: NativeCall, awaitingPermission: boolean, at: number): readonly Emission[] {
    const toolName = call.name ?? call.kind ?? unnamed;
    open.set(call.callId, {
      toolName,
      ...learnt(call),
      text: '',
      hasShellOutput: false,
      refused: false,
      readyAt: at,
    });
    const fields = patchOf(call);
    return accumulator.startCall(
      {
        ...places.next(),
        callId: call.callId,
        reusesId: true,
        ...fields,
        toolName,
        ...(awaitingPermission && { awaitingPermission }),
      },
      at,
    );
  }

  /** The changes in this message, so a repeated one emits nothing. */
  function news(known: OpenCall, call: NativeCall): CallPatch {
    const patch: CallPatch = patchOf(call);
    if (call.name === known.toolName) delete patch.toolName;
    // Skipped for messages without arguments, such as output: arguments may be long.
    if (call.toolArguments && JSON.stringify(call.toolArguments) === JSON.stringify(known.toolArguments)) {
      delete patch.toolArguments;
    }
    known.toolName = call.name ?? known.toolName;
    Object.assign(known, learnt(call));
    return patch;
  }

  function output(known: OpenCall, call: NativeCall, at: number): readonly Emission[] {
    const emissions: Emission[] = [];
    if (call.text !== undefined) {
      const text = call.text ?? '';
      emissions.push(
        ...(known.text !== '' && text.startsWith(known.text)
          ? accumulator.appendOutput(call.callId, text.slice(known.text.length), at)
          : accumulator.setOutput(call.callId, text, at)),
      );
      known.text = text;
    }
    if (call.shellOutput !== undefined) {
      known.hasShellOutput = true;
      emissions.push(...accumulator.appendOutput(call.callId, call.shellOutput, at));
    }
    return emissions;
  }

  function apply(call: NativeCall, at: number): readonly Emission[] {
    if (!open.has(call.callId) && accumulator.knowsCall(call.callId)) {
      // A late update never reopens an ended call. `tool_call` starts another one under the same id, unless it only
      // repeats how this turn's call ended: some agents number their calls per turn.
      const isRepeated = endedInThisTurn(call.callId) && isOver(call);
      if (!call.isBegun || isRepeated) return [];
    }
    const started = open.has(call.callId) ? [] : start(call, false, at);
    const known = open.get(call.callId);
    if (known === undefined) return started;
    const patch = news(known, call);
    if (!isOver(call)) {
      const changed = started.length > 0 ? [] : accumulator.updateCall(call.callId, patch, at);
      return [...started, ...changed, ...output(known, call, at)];
    }
    const whole = wholeOutput(known, call);
    const grown = whole === undefined ? output(known, call, at) : [];
    end([call.callId]);
    // A call reported only after it was over (as in a replay) has no known duration.
    const durationMs = at - known.readyAt;
    const result = {
      ...patch,
      isError: call.status === 'failed',
      ...(whole !== undefined && { output: whole }),
      ...(durationMs > 0 && { durationMs }),
    };
    return [...started, ...grown, ...accumulator.finishCall(call.callId, result, at)];
  }

  return {
    apply,
    ask(call, at) {
      const known = open.get(call.callId);
      if (known === undefined) return endedInThisTurn(call.callId) ? [] : start(call, true, at);
      const news = learnt(call);
      const patch: CallPatch = { awaitingPermission: true };
      if (known.toolArguments === undefined && news.toolArguments) patch.toolArguments = news.toolArguments;
      if (known.diffs === undefined && news.diffs) patch.diffs = [...news.diffs];
      known.toolArguments ??= news.toolArguments;
      known.diffs ??= news.diffs;
      return accumulator.updateCall(call.callId, patch, at);
    },
    answered(callId, accepted, at) {
      const known = open.get(callId);
      if (known === undefined) return [];
      known.refused = !accepted;
      known.readyAt = at;
      return accumulator.updateCall(callId, { awaitingPermission: false }, at);
    },
    closeRefused(at) {
      return [...open].flatMap(([callId, call]) => {
        if (!call.refused) return [];
        end([callId]);
        const output = call.text === '' && !call.hasShellOutput ? { output: 'Refused.' } : {};
        return accumulator.finishCall(callId, { isError: true, ...output }, at);
      });
    },
    forgetOpen: () => end(open.keys()),
    hasOpen: () => open.size > 0,
    describe: (callId) => open.get(callId),
  };
}

/** The output, if the message that ends a call has all of it, so it is emitted once. */
function wholeOutput(known: OpenCall, call: NativeCall): string | undefined {
  if (known.hasShellOutput || call.shellOutput !== undefined) return undefined;
  if (typeof call.text === 'string') return call.text;
  return known.text === '' ? rawOutputText(call.rawOutput) : undefined;
}

/** Details of a call that a later question about it may omit. */
const learnt = (call: NativeCall): Partial<CallDescription> =>
  present({
    title: call.title ?? undefined,
    toolArguments: call.toolArguments,
    diffs: call.diffs ?? undefined,
  });

/** `null` clears: an empty value, because an absent one keeps what was known. */
function patchOf(call: NativeCall): CallPatch {
  return present({
    toolName: call.name,
    toolArguments: call.toolArguments,
    title: call.title === null ? '' : call.title,
    toolKind: call.kind === null ? ('other' as const) : call.kind,
    diffs: call.diffs === null ? [] : call.diffs && [...call.diffs],
    locations: call.locations === null ? [] : call.locations && [...call.locations],
  });
}
