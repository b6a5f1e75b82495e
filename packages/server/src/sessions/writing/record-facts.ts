import type { Fact } from '@liminal/domain/session/fact';
import type { Message } from '@liminal/domain/session/session';
import type { TurnTerminal } from '@liminal/contracts';
import type { StoreWrite, TurnRow, TurnRowState } from '../../store/rows.ts';

/** The rows of unfinished turns, and the position of the next one. */
export type TurnBook = { readonly open: ReadonlyMap<string, TurnRow>; readonly nextPosition: number };

export type RecordOptions = {
  readonly clientMessageId?: string | null;
  /** The agent is running, so a message sent now needn't wait for it to start. */
  readonly agentIsThere?: boolean;
};

/** The turn rows after these facts, and the writes for them. Changes nothing itself. */
export function recordFacts(
  sessionId: string,
  book: TurnBook,
  facts: readonly Fact[],
  { clientMessageId = null, agentIsThere = true }: RecordOptions = {},
): { readonly book: TurnBook; readonly writes: readonly StoreWrite[] } {
  const open = new Map(book.open);
  const writes: StoreWrite[] = [];
  let { nextPosition } = book;

  const put = (row: TurnRow) => {
    open.set(row.turnId, row);
    writes.push({ type: 'put-turn', row });
  };
  const end = (row: TurnRow) => {
    open.delete(row.turnId);
    writes.push({ type: 'put-turn', row });
  };

  for (const fact of facts) {
    switch (fact.type) {
      case 'message-queued':
        put(queuedRow(sessionId, fact.message, clientMessageId));
        if (clientMessageId !== null) {
          writes.push({ type: 'put-client-message', sessionId, clientMessageId, turnId: fact.message.turnId });
        }
        break;
      case 'message-edited': {
        const row = open.get(fact.message.turnId);
        if (row) put({ ...row, content: fact.message.content });
        break;
      }
      case 'message-withdrawn': {
        const row = open.get(fact.turnId);
        if (row) end({ ...row, state: 'withdrawn', images: [] });
        break;
      }
      case 'message-handed': {
        const row = open.get(fact.message.turnId) ?? queuedRow(sessionId, fact.message, null);
        put({ ...row, state: 'sending', position: nextPosition++, startedAt: fact.at, awaitsAgent: !agentIsThere });
        break;
      }
      case 'agent-arrived': {
        const row = open.get(fact.message.turnId);
        if (row?.awaitsAgent) put({ ...row, awaitsAgent: false });
        break;
      }
      case 'turn-started': {
        const { turnId } = fact.event;
        const row = open.get(turnId) ?? agentsRow(sessionId, turnId, nextPosition++, fact.at);
        // The agent has the images, so the copies kept for a resend are dropped.
        put({
          ...row,
          state: 'running',
          awaitsAgent: false,
          images: [],
          started: fact.event,
          startedAt: row.startedAt ?? fact.at,
        });
        break;
      }
      case 'turn-ended': {
        const row = open.get(fact.event.turnId);
        if (row) end({ ...row, state: endState(fact.event), images: [], ended: fact.event, endedAt: fact.at });
        break;
      }
      case 'steering-missed': {
        const row = steeredRow(sessionId, fact);
        put({ ...row, state: 'sending', position: nextPosition++, startedAt: fact.at });
        break;
      }
      case 'message-steered':
        if (clientMessageId !== null) {
          writes.push({ type: 'put-client-message', sessionId, clientMessageId, turnId: fact.turnId });
        }
        break;
      case 'queue-released':
      case 'cancel-requested':
      case 'cancel-failed':
      case 'steering-failed':
      case 'permission-answered':
      case 'permission-opened':
      case 'permission-ended':
      case 'process-closed':
      case 'rewind-begun':
      case 'rewind-ended':
      case 'session-killed':
      case 'session-opened':
      case 'session-loading':
      case 'load-failed':
        break;
    }
  }
  return { book: { open, nextPosition }, writes };
}

function queuedRow(sessionId: string, message: Message, clientMessageId: string | null): TurnRow {
  const { turnId, content, images, createdAt } = message;
  const blank = { position: null, started: null, startedAt: null, ended: null, endedAt: null };
  return { ...blank, sessionId, turnId, state: 'queued', content, images, createdAt, clientMessageId };
}

/** A turn made from a steered message that came too late for its intended turn. */
function steeredRow(sessionId: string, { turnId, messages }: Extract<Fact, { type: 'steering-missed' }>): TurnRow {
  const content = messages.map(({ item }) => item.content).join('\n');
  const createdAt = messages[0]?.item.sourceTimestamp ?? '';
  return queuedRow(sessionId, { turnId, content, images: [], createdAt, state: 'waiting' }, null);
}

function agentsRow(sessionId: string, turnId: string, position: number, at: string): TurnRow {
  const message: Message = { turnId, content: '', images: [], createdAt: at, state: 'waiting' };
  return { ...queuedRow(sessionId, message, null), position };
}

function endState(event: TurnTerminal): TurnRowState {
  return event.type === 'turn_error' ? 'failed' : event.status;
}
