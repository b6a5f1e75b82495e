import type { TurnRecord, TurnTerminal, UpsertObject } from '@liminal/contracts';
import type { Emission } from '@liminal/domain/accumulate/emission';
import { personsItemId } from '@liminal/domain/items/item-id';
import { isoTime } from '@liminal/domain/time/iso-time';
import { asAmount, asNonEmptyString, asNumber, asRecord, asRecords, type Loose, present } from '../../kit/read-json.ts';
import type { ReplayedHistory } from '../../provider.ts';
import { readItem } from '../translate/native-items.ts';
import { createTranslator } from '../translate/translate.ts';

type Entry = ReplayedHistory['entries'][number];

/**
 * Turns from `thread/turns/list`, oldest first, through the same translator as live events. A turn has the id its
 * message was sent under, if known, so turns that ran here are recognised; otherwise Codex's own.
 */
export function historyOfTurns(sessionId: string, providerId: string, turns: readonly Loose[]): ReplayedHistory {
  const read = turns.filter(isOfConversation).map((turn) => historyOfTurn(sessionId, providerId, turn));
  return { turns: read.flatMap(({ turn }) => turn), entries: read.flatMap(({ entries }) => entries) };
}

/** Our id for a turn of Codex's record. */
export function ownTurnId(turn: Loose): string {
  for (const raw of asRecords(turn['items'])) {
    const item = readItem(raw);
    if (item.type === 'user') return item.clientId ?? asNonEmptyString(turn['id']) ?? item.id;
  }
  return asNonEmptyString(turn['id']) ?? '';
}

/** A review has its own turn within the one that requested it; it is part of that one. */
function isOfConversation(turn: Loose): boolean {
  const root = asNonEmptyString(turn['rootTurnId']);
  return root === undefined || root === turn['id'];
}

type TurnHistory = { readonly turn: readonly TurnRecord[]; readonly entries: readonly Entry[] };

function historyOfTurn(sessionId: string, providerId: string, turn: Loose): TurnHistory {
  const turnId = ownTurnId(turn);
  const nativeId = asNonEmptyString(turn['id']);
  if (turnId === '' || nativeId === undefined || turn['status'] === 'inProgress') return { turn: [], entries: [] };
  const startedAt = (asAmount(turn['startedAt']) ?? 0) * 1000;
  const translator = createTranslator({ sessionId, providerId, batchGradient: [Number.POSITIVE_INFINITY] });
  const entries = new Map<string, Entry>();
  const events: Emission[] = [];
  let persons = 0;

  function keep(emissions: readonly Emission[]): void {
    for (const emission of emissions) {
      if (emission.kind === 'turn') events.push(emission);
      else {
        const { upsert } = emission;
        const sourceId = entries.get(upsert.itemId)?.sourceId ?? translator.sourceIdOf(upsert);
        entries.set(upsert.itemId, { upsert, ...present({ sourceId }) });
      }
    }
  }

  keep(translator.startTurn({ turnId }, startedAt));
  translator.bind(nativeId);
  for (const raw of asRecords(turn['items'])) {
    const at = asTime(raw['completedAtMs']) ?? asTime(raw['startedAtMs']) ?? startedAt;
    const item = readItem(raw);
    if (item.type === 'user') {
      const upsert = userMessageOf(sessionId, turnId, persons++, item, at);
      entries.set(upsert.itemId, { upsert, sourceId: `user:${item.id}` });
    } else keep(translator.notified('item/completed', { turnId: nativeId, item: raw }, at).emissions);
  }
  // A turn with nothing but notes changed the agent, not the conversation.
  if (![...entries.values()].some(({ upsert }) => upsert.type !== 'message' || upsert.origin !== 'system'))
    return { turn: [], entries: [] };
  const endedAt = (asAmount(turn['completedAt']) ?? 0) * 1000;
  keep(translator.notified('turn/completed', { turn }, Math.max(startedAt, endedAt)).emissions);
  const started = events.flatMap((each) =>
    each.kind === 'turn' && each.event.type === 'turn_started' ? [each.event] : [],
  )[0];
  const ended = events.flatMap((each) =>
    each.kind === 'turn' && each.event.type !== 'turn_started' ? [withoutDuration(each.event)] : [],
  )[0];
  const state = stateOf(ended);
  const times =
    startedAt > 0 ? { startedAt: isoTime(startedAt), ...(endedAt > 0 && { endedAt: isoTime(endedAt) }) } : {};
  return { turn: [{ turnId, state, ...times, ...present({ started, ended }) }], entries: [...entries.values()] };
}

function stateOf(ended: TurnTerminal | undefined): TurnRecord['state'] {
  if (ended?.type === 'turn_error') return 'failed';
  return ended?.status === 'cancelled' ? 'cancelled' : 'completed';
}

/** The record's times are in seconds, too coarse for a duration. */
function withoutDuration(ended: TurnTerminal): TurnTerminal {
  const { durationMs: _, ...event } = ended;
  return event;
}

function userMessageOf(
  sessionId: string,
  turnId: string,
  place: number,
  { text, images }: { readonly text: string; readonly images: number },
  at: number,
): UpsertObject {
  const time = isoTime(at);
  const pictures = Array.from({ length: images }, () => ({ mimeType: 'image/*', size: 0 }));
  return {
    type: 'message',
    turnId,
    sessionId,
    itemId: personsItemId(turnId, place),
    sourceTimestamp: time,
    emittedAt: time,
    status: 'complete',
    content: text,
    origin: 'user',
    ...(images > 0 && { attachments: pictures }),
  };
}

/** Milliseconds since the epoch, if a plausible time. */
const asTime = (value: unknown): number | undefined => {
  const ms = asNumber(value);
  return ms !== undefined && ms > 0 && ms < 1e14 ? ms : undefined;
};

/** Codex's own id of the turn with this id; undefined if it has none. */
export function findTurn(turns: readonly Loose[], turnId: string): string | undefined {
  const found = turns.find((turn) => {
    const items = asRecords(turn['items']).map(readItem);
    // A turn read through Codex's adapter is named after its first message.
    return (
      turn['id'] === turnId ||
      items.some((item) => item.type === 'user' && (item.clientId === turnId || `replay-${item.id}` === turnId))
    );
  });
  return asNonEmptyString(asRecord(found)['id']);
}
