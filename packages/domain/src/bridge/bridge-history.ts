import type { BridgeMessage, SessionHistory } from '@liminal/contracts';
import type { ChangeBody } from '../delivery/change.ts';
import { bridgeMessages, type BridgeOptions, type BridgeStep } from './bridge-messages.ts';
import { beginningAt, type HostState } from './host-state.ts';

/** The changes, in order, that would lead to this history. */
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

/**
 * A history for a host that may have received part of it. Requests the host knows that are no longer open have ended.
 */
export function bridgeHistory(host: HostState, history: SessionHistory, options: BridgeOptions): BridgeStep {
  const open = new Set(history.permissions.map(({ requestId }) => requestId));
  const gone = [...host.permissions].filter((id) => !open.has(id));
  const ended = gone.map((id) => {
    const place = { type: 'system', subtype: 'permission_closed', session_id: options.sessionId } as const;
    return { ...place, id, state: 'ended' } as const;
  });
  const begun = beginningAt(host, history.entries[0]?.order ?? 0);
  const known = { ...begun, permissions: open.intersection(host.permissions) };
  const step = bridgeAll(known, changesOfHistory(history), options);
  return { host: step.host, messages: [...ended, ...step.messages] };
}

export function bridgeAll(host: HostState, bodies: readonly ChangeBody[], options: BridgeOptions): BridgeStep {
  let now = host;
  const messages = bodies.flatMap((body) => {
    const step = bridgeMessages(now, body, options);
    now = step.host;
    return step.messages;
  });
  return { host: now, messages };
}

/** What a host that joins without the history still needs: the agent's info, running turns, open items and requests. */
export function joinQuietly({ host, messages }: BridgeStep): BridgeStep {
  const isNews = (message: BridgeMessage): boolean => {
    if (message.type === 'agent_info' || message.type === 'permission_request') return true;
    if (message.type === 'system' && message.subtype === 'turn_started')
      return host.turns.get(message.turn_id) !== 'ended';
    return 'msg_id' in message && host.open.has(message.msg_id);
  };
  return { host, messages: messages.filter(isNews) };
}
