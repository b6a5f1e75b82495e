import { TurnEvent, UpsertObject, type AppendedText } from '@liminal/contracts';
import type { Emission } from '../emission.ts';

/** Reads emissions like a browser and records every broken invariant. Tests check the core and its drivers with it. */
export type EmissionReader = {
  read(emissions: readonly Emission[]): void;
  /** The broken invariants; empty if there are none. */
  readonly problems: readonly string[];
  /** The newest state of each item. */
  readonly items: ReadonlyMap<string, UpsertObject>;
  readonly terminals: ReadonlyMap<string, TurnEvent>;
};

/** `isLate` says which items may open after their turn has ended. */
export function createEmissionReader(isLate: (itemId: string) => boolean = () => false): EmissionReader {
  const problems: string[] = [];
  const items = new Map<string, UpsertObject>();
  const started = new Set<string>();
  const terminals = new Map<string, TurnEvent>();
  const itemOfCall = new Map<string, string>();

  const readTurn = (event: TurnEvent) => {
    const { turnId } = event;
    if (!TurnEvent.safeParse(event).success) problems.push(`${turnId}: ${event.type} does not validate`);
    if (terminals.has(turnId)) problems.push(`${turnId}: ${event.type} after the terminal`);
    if (event.type === 'turn_started') {
      if (started.has(turnId)) problems.push(`${turnId}: started twice`);
      started.add(turnId);
      return;
    }
    if (!started.has(turnId)) problems.push(`${turnId}: ended before it started`);
    terminals.set(turnId, event);
  };

  const readItem = (upsert: UpsertObject, appended?: AppendedText, grown?: AppendedText) => {
    const before = items.get(upsert.itemId);
    const found = [
      ...(UpsertObject.safeParse(upsert).success ? [] : ['does not validate']),
      ...(before ? changeProblems(before, upsert, appended, grown) : firstProblems(upsert, appended)),
      ...afterTerminalProblems(before, upsert),
      ...callProblems(upsert),
    ];
    problems.push(...found.map((problem) => `${upsert.itemId}: ${problem} (${upsert.status})`));
    items.set(upsert.itemId, upsert);
  };

  const afterTerminalProblems = (before: UpsertObject | undefined, upsert: UpsertObject): string[] => {
    const terminal = terminals.get(upsert.turnId);
    if (!terminal || isLate(upsert.itemId)) return [];
    if (upsert.type === 'message' && upsert.origin === 'system') return [];
    const completed = terminal.type === 'turn_complete' && terminal.status === 'completed';
    return completed && upsert.type === 'tool_call' && before ? [] : ['emitted after the end of its turn'];
  };

  /** Some agents reuse call ids in every turn: an id is free again once its call, or its turn, has ended. */
  const isOver = (held: UpsertObject | undefined): boolean =>
    held !== undefined && (isEnded(held) || terminals.has(held.turnId));

  const callProblems = (upsert: UpsertObject): string[] => {
    if (upsert.type !== 'tool_call') return [];
    const known = itemOfCall.get(upsert.callId) ?? upsert.itemId;
    const isFree = known === upsert.itemId || isOver(items.get(known));
    if (isFree) itemOfCall.set(upsert.callId, upsert.itemId);
    return isFree ? [] : [`call ${upsert.callId} already has item ${known}`];
  };

  return {
    problems,
    items,
    terminals,
    read(emissions) {
      for (const emission of emissions) {
        if (emission.kind === 'turn') readTurn(emission.event);
        else readItem(emission.upsert, emission.appended, emission.grown);
      }
    },
  };
}

/** The growing text of an item, as a reader holds it. */
export function textOf(upsert: UpsertObject): string {
  if (upsert.type === 'plan') return '';
  return upsert.type === 'tool_call' ? (upsert.toolOutput ?? '') : upsert.content;
}

const isEnded = (upsert: UpsertObject) => upsert.status === 'complete' || upsert.status === 'error';

function firstProblems(upsert: UpsertObject, appended: AppendedText | undefined): string[] {
  return [
    ...(upsert.status === 'update' ? ['first emitted as an update'] : []),
    ...(appended ? ['appended to nothing'] : []),
    ...errorProblems(upsert),
  ];
}

function changeProblems(
  before: UpsertObject,
  now: UpsertObject,
  appended: AppendedText | undefined,
  grown = appended,
): string[] {
  const isText = now.type === 'message' || now.type === 'thinking';
  const sameRest = restOf(before) === restOf(now);
  return [
    ...(isEnded(before) ? ['emitted after its end'] : []),
    ...(now.status === 'create' ? ['created twice'] : []),
    ...(before.turnId !== now.turnId || before.type !== now.type ? ['moved to another turn or type'] : []),
    ...(isText && !textOf(now).startsWith(textOf(before)) ? ['shrank'] : []),
    ...(isText && sameRest && !appended ? ['does not say what was appended'] : []),
    ...(grown && textOf(before).length !== grown.appendedFrom ? ['appended at the wrong place'] : []),
    ...(grown && textOf(before) + grown.text !== textOf(now) ? ['appended text does not give the content'] : []),
    ...(appended && !sameRest ? ['called an append, but more than its text changed'] : []),
    ...errorProblems(now),
  ];
}

function errorProblems(upsert: UpsertObject): string[] {
  const saysError = upsert.errorCode !== undefined || upsert.errorMessage !== undefined;
  return saysError === (upsert.status === 'error') ? [] : ['error details do not fit the status'];
}

/** Everything that a `session:append` can't carry. */
function restOf(upsert: UpsertObject): string {
  const { status: _status, sourceTimestamp: _source, emittedAt: _emitted, errorCode: _code, ...rest } = upsert;
  return JSON.stringify({ ...rest, errorMessage: undefined, content: undefined, toolOutput: undefined });
}
