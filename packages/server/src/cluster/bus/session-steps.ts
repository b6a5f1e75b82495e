import type { HistoryPage, PermissionRequest, SessionHistory, TurnRecord, UpsertObject } from '@liminal/contracts';
import { approximateBytes } from '@liminal/domain/items/approximate-bytes';
import { type ChangeBody, itemKey, type OutboundMessage } from '@liminal/domain/delivery/change';
import type { Step } from '../redis/step-arguments.ts';

export type SessionSteps = ReturnType<typeof createSessionSteps>;

type Page = Pick<HistoryPage, 'entries' | 'turns'>;
const closedBytes = 64 * 1024;
const turnKey = (turnId: string): string => `turn:${turnId}`;

/** Turns the messages of one session into steps that update it in Redis. */
export function createSessionSteps() {
  const running = new Map<string, TurnRecord>();
  const placed = new Set<string>();
  /** Items whose text Redis holds in pieces. */
  const grown = new Set<string>();
  let permissions = new Map<string, PermissionRequest>();
  const closed = new Map<string, number>();
  let closedHeld = 0;
  let lastOrder = -1;

  /** Places a turn just before its first item. */
  const turnScores = ({ entries, turns }: Page): Map<string, number> => {
    const first = new Map<string, number>();
    for (const { turnId, order = 0 } of entries) first.set(turnId, Math.min(first.get(turnId) ?? Infinity, order));
    const scores = new Map<string, number>();
    let last = (entries[0]?.order ?? 0) - 1;
    for (const { turnId } of turns) {
      last = Math.max(last + 0.001, (first.get(turnId) ?? -Infinity) - 0.5);
      scores.set(turnId, last);
    }
    return scores;
  };
  const pageSteps = (page: Page, what: 'put' | 'fill'): Step[] => {
    const scores = turnScores(page);
    const turns = page.turns.map((turn): Step => {
      placed.add(turn.turnId);
      if (turn.state === 'running') running.set(turn.turnId, turn);
      return [what, turnKey(turn.turnId), JSON.stringify(turn), String(scores.get(turn.turnId) ?? 0)];
    });
    const items = page.entries.map((item): Step => {
      lastOrder = Math.max(lastOrder, item.order ?? 0);
      return [what, itemKey(item.itemId), JSON.stringify(item), String(item.order ?? 0)];
    });
    return [...turns, ...items];
  };
  /** Closed requests aren't part of a history. Recent ones are kept for readers that return. */
  const dropOldest = (key: string, bytes: number): Step[] => {
    closed.set(key, bytes);
    closedHeld += bytes;
    const dropped: Step[] = [];
    for (const [oldest, size] of closed) {
      if (closedHeld <= closedBytes) break;
      closed.delete(oldest);
      closedHeld -= size;
      dropped.push(['drop', oldest, '', '']);
    }
    return dropped;
  };
  /** Drops the closed requests at the end of a turn. A reader that missed them gets a history. */
  const dropClosed = (): Step[] => {
    const dropped = [...closed.keys()].map((key): Step => ['drop', key, '', '']);
    closed.clear();
    closedHeld = 0;
    return dropped;
  };
  const permissionSteps = (): Step => ['put', 'permissions', JSON.stringify([...permissions.values()]), ''];
  const valueSteps = (history: SessionHistory): Step[] => {
    permissions = new Map(history.permissions.map((request) => [request.requestId, request]));
    return [
      ['put', 'queue', JSON.stringify({ queue: history.queue }), ''],
      ['put', 'status', JSON.stringify(history.status), ''],
      ['put', 'info', JSON.stringify(history.info), ''],
      permissionSteps(),
    ];
  };

  const itemSteps = (item: UpsertObject, json = JSON.stringify(item)): Step[] => {
    const order = item.order ?? lastOrder + 1;
    const isFirstOfTurn = !placed.has(item.turnId) && item.turnId !== 'session';
    lastOrder = Math.max(lastOrder, order);
    const key = itemKey(item.itemId);
    const put: Step = [grown.delete(key) ? 'settle' : 'put', key, json, String(order)];
    if (!isFirstOfTurn) return [put];
    placed.add(item.turnId);
    const record: TurnRecord = running.get(item.turnId) ?? { turnId: item.turnId, state: 'running' };
    return [['fill', turnKey(item.turnId), JSON.stringify(record), String(order - 0.5)], put];
  };
  const turnStep = (event: (OutboundMessage & { type: 'session:turn' })['payload'], at: string): Step => {
    const { turnId } = event;
    const before = running.get(turnId) ?? { turnId, state: 'running' };
    const record: TurnRecord =
      event.type === 'turn_started'
        ? { ...before, started: event, startedAt: before.startedAt ?? at }
        : { ...before, state: event.type === 'turn_error' ? 'failed' : event.status, ended: event, endedAt: at };
    if (record.state === 'running') running.set(turnId, record);
    else running.delete(turnId);
    placed.add(turnId);
    return ['put', turnKey(turnId), JSON.stringify(record), String(lastOrder + 0.25)];
  };

  return {
    /** Replaces everything with the newest page and the single values. */
    base(history: SessionHistory): Step[] {
      running.clear();
      placed.clear();
      grown.clear();
      closed.clear();
      closedHeld = 0;
      return [...pageSteps(history, 'put'), ...valueSteps(history)];
    },
    /** Only the single values, for a page that is already in Redis. */
    values(history: SessionHistory): Step[] {
      running.clear();
      pageSteps(history, 'fill');
      return valueSteps(history);
    },
    /** Adds an older page behind the newest. */
    older: (page: Page): Step[] => pageSteps(page, 'fill'),
    /**
     * `whole` finds the newest state of an item whose last text came as an append. `json` is the serialized payload.
     */
    change(
      message: OutboundMessage,
      whole: (key: string) => ChangeBody | undefined,
      at: string,
      json?: string,
    ): Step[] {
      switch (message.type) {
        case 'session:append': {
          const { itemId, text, status } = message.payload;
          const key = itemKey(itemId);
          if (status === undefined && !isTorn(text)) {
            grown.add(key);
            return [['grow', key, text, '']];
          }
          const body = whole(key);
          return body?.type === 'session:upsert' ? itemSteps(body.payload) : [];
        }
        case 'session:upsert':
          return itemSteps(message.payload, json);
        case 'session:turn':
          return [turnStep(message.payload, at), ...(message.payload.type === 'turn_started' ? [] : dropClosed())];
        case 'session:permission': {
          const { request, state } = message.payload;
          const key = `permission:${request.requestId}`;
          if (state === 'open') permissions.set(request.requestId, request);
          else permissions.delete(request.requestId);
          const put: Step = ['put', key, JSON.stringify(message.payload), ''];
          return [put, ...(state === 'open' ? [] : dropOldest(key, approximateBytes(message))), permissionSteps()];
        }
        case 'session:status':
          return [['put', 'status', JSON.stringify(message.payload), '']];
        case 'session:queue':
          return [['put', 'queue', JSON.stringify(message.payload), '']];
        case 'session:comments':
          return [['put', 'comments', JSON.stringify(message.payload), '']];
        case 'session:changes':
          return [['put', 'changes', JSON.stringify(message.payload), '']];
        case 'session:info':
          return [['put', 'info', JSON.stringify(message.payload), '']];
      }
    },
  };
}

/** Whether either end splits a surrogate pair, which UTF-8 can't encode. */
function isTorn(text: string): boolean {
  const [first, last] = [text.charCodeAt(0), text.charCodeAt(text.length - 1)];
  return (first >= 0xdc00 && first <= 0xdfff) || (last >= 0xd800 && last <= 0xdbff);
}
