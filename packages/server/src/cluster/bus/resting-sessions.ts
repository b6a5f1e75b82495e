import { createHash, randomUUID } from 'node:crypto';
import type { HistoryPage, SessionHistory, SessionSummary } from '@liminal/contracts';
import type { Membership } from '../membership/membership.ts';
import { baseScript, fillScript } from '../redis/session-scripts.ts';
import { stepArguments } from '../redis/step-arguments.ts';
import { readHistoryPage } from '../../sessions/history/history-reader.ts';
import { storedSession } from '../../sessions/history/stored-session.ts';
import { queuedMessage } from '@liminal/domain/session/changes-from';
import type { Store } from '../../store/store.ts';
import type { RedisBus } from './redis-bus.ts';
import { createSessionSteps } from './session-steps.ts';

export type RestingSessionsDeps = {
  readonly store: Store;
  readonly bus: Pick<RedisBus, 'asOwner' | 'isOpen'>;
  readonly membership: Membership;
  readonly summaryOf: (sessionId: string) => SessionSummary | undefined;
  readonly historyBytes: number;
  readonly onError: (error: unknown, sessionId: string) => void;
};

const pageTurns = 200;
const noLive = { newest: () => undefined, ofTurn: () => [], turns: { unwritten: () => [] } };

/** Changes whenever the session on disk changes. */
export function markOf(store: Store, sessionId: string): string {
  const row = store.session(sessionId);
  if (!row) return '';
  const turns = [...store.turnsBefore(sessionId, null, 1), ...store.openTurns(sessionId)];
  const facts = [row, store.nextPlaces(sessionId), turns.map(({ turnId, state, endedAt }) => [turnId, state, endedAt])];
  return createHash('sha1').update(JSON.stringify(facts)).digest('base64url');
}

export const storedPage = (store: Store, sessionId: string, before: string | null, maxBytes: number): HistoryPage =>
  readHistoryPage(store, noLive, {
    sessionId,
    before: before === null ? null : (store.turn(sessionId, before)?.position ?? null),
    maxTurns: pageTurns,
    maxBytes,
  });

/** Publishes sessions that aren't open from disk to Redis, after a start and whenever Redis has lost them. */
export function createRestingSessions(deps: RestingSessionsDeps) {
  const { store, bus, membership } = deps;
  let pass = 0;
  let isResting = true;

  const historyOf = (sessionId: string, page: HistoryPage): SessionHistory | null => {
    const row = store.session(sessionId);
    const summary = deps.summaryOf(sessionId);
    if (!row || !summary) return null;
    const { status: state, activity, isAlive, lastError } = summary;
    return {
      entries: page.entries,
      turns: page.turns,
      hasMore: page.nextBefore !== null,
      permissions: [],
      queue: storedSession(store, row).session.queue.map(queuedMessage),
      status: { state, activity, isAlive, ...(lastError ? { lastError } : {}) },
      info: { ...row.info, title: row.title },
    };
  };

  const bring = async (sessionId: string): Promise<void> => {
    const owner = bus.asOwner(sessionId);
    if (bus.isOpen(sessionId) || !owner.mayWrite()) return;
    const mark = markOf(store, sessionId);
    const head = await membership.run(['HMGET', membership.keys.head(sessionId), 'mark', 'whole']);
    const [known, whole] = head as readonly (string | null)[];
    if (known === mark && whole === '1') return;
    const first = storedPage(store, sessionId, null, deps.historyBytes);
    const history = historyOf(sessionId, first);
    if (!history) return;
    const steps = createSessionSteps();
    const epoch = randomUUID().slice(0, 8);
    let { nextBefore } = first;
    const isWhole = nextBefore === null ? '1' : '0';
    let verdict = await owner.run(baseScript, [epoch, 0, mark, isWhole, ...stepArguments(steps.base(history))]);
    while (verdict === 'OK' && nextBefore !== null && !bus.isOpen(sessionId)) {
      const page = storedPage(store, sessionId, nextBefore, deps.historyBytes);
      ({ nextBefore } = page);
      const args = [epoch, nextBefore === null ? '1' : '0', ...stepArguments(steps.older(page))];
      verdict = await owner.run(fillScript, args);
    }
    if (verdict === 'LAPSED') membership.lapse();
  };

  return {
    /** Resolves when everything is in Redis, or the connection is lost. */
    async bringAll(): Promise<void> {
      const mine = (pass += 1);
      isResting = false;
      const rows = store.sessions().toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
      for (const { sessionId } of rows) {
        if (mine !== pass || !membership.isJoined()) return;
        await bring(sessionId).catch((error: unknown) => {
          if (membership.isJoined()) deps.onError(error, sessionId);
        });
        // Yield after each session, so users' work goes first.
        await new Promise(setImmediate);
      }
      isResting = true;
    },
    isDone: () => isResting,
    stop(): void {
      pass += 1;
    },
  };
}
