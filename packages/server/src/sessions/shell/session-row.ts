import type {
  ChangeCount,
  LastEnded,
  OpenAsk,
  RunningWork,
  SessionPlace,
  SessionStatus,
  SessionSummary,
} from '@liminal/contracts';
import { outsideTurn } from '@liminal/domain/session/attention';
import type { Fact } from '@liminal/domain/session/fact';
import { titleOf } from '@liminal/domain/session/title';
import type { ListedSessionRow, SessionRow } from '../../store/rows.ts';

/** Input for a row that isn't in the facts. */
export type RowExtras = {
  readonly agentTitle?: string | undefined;
  /** What the ending turn has changed. */
  readonly changed?: ChangeCount | undefined;
};

/** The session's row after these facts. A title never replaces one from a better source. */
export function rowAfter(row: SessionRow, facts: readonly Fact[], at: string, extras: RowExtras = {}): SessionRow {
  const { agentTitle, changed } = extras;
  let next = row;
  for (const fact of facts) {
    switch (fact.type) {
      case 'message-queued':
        next = { ...next, updatedAt: at };
        if (next.title === '') next = { ...next, title: titleOf(fact.message.content), titleSource: 'message' };
        break;
      case 'message-handed':
      case 'message-steered':
      case 'steering-missed':
      case 'turn-started':
        next = { ...next, updatedAt: at };
        break;
      case 'turn-ended':
        next = {
          ...next,
          updatedAt: at,
          ended: { id: fact.event.turnId, at: fact.at, ...(changed && { changed }) },
          lastError:
            fact.event.type === 'turn_error'
              ? { code: fact.event.errorCode, message: fact.event.errorMessage, at: fact.at }
              : null,
        };
        break;
      case 'session-killed':
        next = { ...next, life: 'dead', lastError: null };
        break;
      case 'session-opened':
        next = { ...next, life: 'open', lastError: next.life === 'dead' ? null : next.lastError };
        break;
      case 'load-failed':
        next = { ...next, life: 'dead', lastError: fact.error, ended: failureOutsideTurn(fact.error.at) };
        break;
      case 'process-closed':
        // If a turn failed with the process, its end is already the news.
        next = {
          ...next,
          lastError: fact.error,
          ended: facts.some(({ type }) => type === 'turn-ended') ? next.ended : failureOutsideTurn(fact.error.at),
        };
        break;
      case 'message-edited':
      case 'message-withdrawn':
      case 'agent-arrived':
      case 'queue-released':
      case 'cancel-requested':
      case 'cancel-failed':
      case 'steering-failed':
      case 'permission-answered':
      case 'permission-opened':
      case 'permission-ended':
      case 'rewind-begun':
      case 'rewind-ended':
      case 'session-loading':
        break;
    }
  }
  if (agentTitle && next.titleSource !== 'person') next = { ...next, title: titleOf(agentTitle), titleSource: 'agent' };
  return next;
}

const failureOutsideTurn = (at: string): LastEnded => ({ id: outsideTurn(at), at });

/** What the row lacks: the state of an open session, and where it works. */
export type LiveState = {
  readonly working?: RunningWork | undefined;
  readonly asks?: OpenAsk | undefined;
  readonly place?: SessionPlace | null | undefined;
};

export function summaryOf(
  row: ListedSessionRow,
  status: SessionStatus,
  { working, asks, place }: LiveState = {},
): SessionSummary {
  const { sessionId, cliType, projectId, title, createdAt, updatedAt, archived, ended, marks, startedBy } = row;
  const { state, ...rest } = status;
  return {
    sessionId,
    cliType,
    projectId,
    title,
    createdAt,
    updatedAt,
    archived,
    status: state,
    ...rest,
    ...(ended && { ended }),
    ...(working && { working }),
    ...(asks && { asks }),
    ...(marks && { marks }),
    ...(startedBy && { startedBy }),
    ...(place && { place }),
  };
}
