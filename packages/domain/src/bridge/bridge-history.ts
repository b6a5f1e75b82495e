import type { BridgeMessage, SessionHistory } from '@liminal/contracts';
import type { ChangeBody } from '../delivery/change.ts';
import { bridgeMessages, type BridgeOptions, type BridgeTelling } from './bridge-messages.ts';
import { beginningAt, type BridgeTold } from './bridge-told.ts';

/** A history as the changes that would have led to it, in their order. */
export function changesOfHistory(history: SessionHistory): ChangeBody[] {
  const { entries, turns, permissions, info } = history;
  const byTurn = Map.groupBy(entries, (entry) => entry.turnId);
  const known = new Set(turns.map((turn) => turn.turnId));
  const outside = entries.filter((entry) => !known.has(entry.turnId));
  const upsert = (payload: (typeof entries)[number]): ChangeBody => ({ type: 'session:upsert', payload });
  return [
    { type: 'session:info', payload: info },
    ...outside.map(upsert),
    ...turns.flatMap(({ turnId, started, ended }): ChangeBody[] => [
      ...(started ? [{ type: 'session:turn', payload: started } as const] : []),
      ...(byTurn.get(turnId) ?? []).map(upsert),
      ...(ended ? [{ type: 'session:turn', payload: ended } as const] : []),
    ]),
    ...permissions.map((request): ChangeBody => ({ type: 'session:permission', payload: { state: 'open', request } })),
  ];
}

/** A history for a host that may have been told a part of it; requests it was told of that are gone have ended. */
export function bridgeHistory(told: BridgeTold, history: SessionHistory, options: BridgeOptions): BridgeTelling {
  const open = new Set(history.permissions.map(({ requestId }) => requestId));
  const gone = [...told.permissions].filter((id) => !open.has(id));
  const ended = gone.map((id) => {
    const place = { type: 'system', subtype: 'permission_closed', session_id: options.sessionId } as const;
    return { ...place, id, state: 'ended' } as const;
  });
  const begun = beginningAt(told, history.entries[0]?.order ?? 0);
  const known = { ...begun, permissions: open.intersection(told.permissions) };
  const telling = bridgeAll(known, changesOfHistory(history), options);
  return { told: telling.told, messages: [...ended, ...telling.messages] };
}

/** Several changes at once. */
export function bridgeAll(told: BridgeTold, bodies: readonly ChangeBody[], options: BridgeOptions): BridgeTelling {
  let now = told;
  const messages = bodies.flatMap((body) => {
    const telling = bridgeMessages(now, body, options);
    now = telling.told;
    return telling.messages;
  });
  return { told: now, messages };
}

/** What a host that joins in without the history still has to know: who is there, what runs and what waits for it. */
export function joinQuietly({ told, messages }: BridgeTelling): BridgeTelling {
  const isNews = (message: BridgeMessage): boolean => {
    if (message.type === 'agent_info' || message.type === 'permission_request') return true;
    if (message.type === 'system' && message.subtype === 'turn_started')
      return told.turns.get(message.turn_id) !== 'ended';
    return 'msg_id' in message && told.open.has(message.msg_id);
  };
  return { told, messages: messages.filter(isNews) };
}
