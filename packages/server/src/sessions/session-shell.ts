import { ok, type Result, type SessionError, type SessionHistory, type SessionInfo } from '@liminal/contracts';
import { decide } from '@liminal/domain/session/decide';
import { closeTurn } from '@liminal/domain/session/close-turn';
import type { Command } from '@liminal/domain/session/command';
import { evolve } from '@liminal/domain/session/evolve';
import type { AgentFact, Effect, Fact } from '@liminal/domain/session/fact';
import { isBusy, type Session } from '@liminal/domain/session/session';
import { queuedMessage, tell } from '@liminal/domain/session/tell';
import { sameStatus, statusOf } from '@liminal/domain/session/session-status';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import type { SessionBus } from '../bus/session-bus.ts';
import type { ProviderError } from '../providers/provider-error.ts';
import type { ReplayedHistory } from '../providers/provider.ts';
import type { SessionRow, StoreWrite } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { AgentLink } from './agent-link.ts';
import { hearAgent } from './hear-agent.ts';
import { createInfoPace } from './info-pace.ts';
import type { ItemWriter } from './item-writer.ts';
import { createLiveTurns } from './live-turns.ts';
import { createMailbox } from './mailbox.ts';
import { mergeReplay } from './merge-replay.ts';
import type { ChangePlacer } from './place-changes.ts';
import { createPerform } from './perform.ts';
import { requestWrites } from './permission-decision.ts';
import { agentArrived, recordFacts, type TurnBook } from './record-facts.ts';
import { createSending, type Handled } from './send-message.ts';
import { createSessionPages } from './session-pages.ts';
import { rowAfter, summaryOf } from './session-row.ts';
import type { SessionItems } from './session-items.ts';
import type { SessionDirectory } from '../bus/directory.ts';

export type SessionShellDeps = {
  readonly session: Session;
  readonly book: TurnBook;
  readonly row: SessionRow;
  readonly items: SessionItems;
  readonly link: AgentLink;
  readonly changes: ChangePlacer;
  readonly store: Store;
  readonly writer: ItemWriter;
  readonly bus: SessionBus;
  readonly directory: SessionDirectory;
  readonly now: () => string;
  readonly onError: (error: unknown) => void;
  readonly historyBytes: number;
};

const advanceAgainMs = 1_000;

export type SessionShell = ReturnType<typeof createSessionShell>;

/** One open session. Decide, write, believe, tell, act: in that order, for every command. */
export function createSessionShell(deps: SessionShellDeps) {
  const { store, writer, items, link, directory, now } = deps;
  const { sessionId } = deps.row;
  const mailbox = createMailbox(deps.onError);
  const turns = createLiveTurns(writer);
  let { session, book, row } = deps;
  let info: SessionInfo = row.info;
  let lastActive = performance.now();
  let trouble: SessionError | null = null;
  let isResting = false;

  const status = () => ({ ...statusOf(session, link.isAlive()), ...(trouble ? { lastError: trouble } : {}) });
  const wholeInfo = (): SessionInfo => ({ ...info, title: row.title });
  const pages = createSessionPages({ ...deps, sessionId, turns });
  const history = (): SessionHistory => ({
    ...pages.first(),
    permissions: [...session.permissions],
    queue: session.queue.map(queuedMessage),
    status: status(),
    info: wholeInfo(),
  });
  const feed = deps.bus.open(sessionId, {
    history,
    resolve(key) {
      const item = key.startsWith('item:') ? items.find(key.slice('item:'.length)) : undefined;
      return item && { type: 'session:upsert', payload: item };
    },
  });
  let told = status();

  const publish = (bodies: readonly ChangeBody[]): void => items.told(feed.epoch, feed.publish(bodies));

  const tellStatus = (): ChangeBody[] => {
    const current = status();
    directory.put(summaryOf(row, current));
    if (sameStatus(told, current)) return [];
    told = current;
    return [{ type: 'session:status', payload: current }];
  };

  const pace = createInfoPace({
    told: wholeInfo(),
    post: mailbox.post,
    publish(payload) {
      writer.add({ type: 'put-session', row });
      feed.publish([{ type: 'session:info', payload }, ...tellStatus()]);
    },
  });

  const believe = (facts: readonly Fact[], nextRow: SessionRow): Effect[] => {
    const effects: Effect[] = [];
    const telling: ChangeBody[] = [];
    for (const fact of facts) {
      const before = session;
      const next = evolve(session, fact);
      session = next.session;
      effects.push(...next.effects);
      telling.push(...tell(before, fact, session));
    }
    const retitled = nextRow.title !== row.title;
    row = nextRow;
    lastActive = performance.now();
    try {
      const placed = telling.map((body) => (body.type === 'session:upsert' ? items.take(body.payload) : body));
      publish([...placed, ...tellStatus()]);
      if (retitled) pace.put(wholeInfo());
    } catch (error) {
      // What is true stays true, and the agent is still told: readers get a history instead.
      deps.onError(error);
      items.told(feed.epoch, []);
      feed.renew();
    }
    return effects;
  };

  /** What an agent did: believed and told at once, written behind. */
  const accept = (facts: readonly AgentFact[]): void => {
    if (facts.length === 0) return;
    const recorded = recordFacts(sessionId, book, facts);
    const nextRow = rowAfter(row, facts, now());
    book = recorded.book;
    for (const write of [...recorded.writes, ...requestWrites(session, facts, now())]) turns.put(write);
    writer.add({ type: 'put-session', row: nextRow });
    believe(facts, nextRow);
    if (!facts.some((fact) => fact.type === 'turn-ended')) return;
    pace.flush();
    // In its own step: the agent may say in the same breath that it goes on with another turn.
    queueMicrotask(advance);
  };

  /** Hands over the next message. Tried again while the disk refuses, so that a queue never stands still. */
  const advance = (): void => {
    handle({ type: 'advance' }).catch((error: unknown) => {
      deps.onError(error);
      setTimeout(advance, advanceAgainMs).unref();
    });
  };

  /** What a person did: written before it is believed, told or acknowledged. To be called inside the mailbox. */
  const settle = async (
    command: Command,
    writes: readonly StoreWrite[] = [],
    clientMessageId: string | null = null,
  ) => {
    const decision = decide(session, command, now());
    if (!decision.ok) return decision;
    const facts = isResting ? decision.value.filter((fact) => fact.type !== 'message-handed') : decision.value;
    if (facts.length === 0) return ok<Handled>({ performed: Promise.resolve() });
    const recorded = recordFacts(sessionId, book, facts, { clientMessageId, agentIsThere: link.isAlive() });
    const nextRow = rowAfter(row, facts, now());
    const further = [...items.steered(facts), ...requestWrites(session, facts, now()), ...writes];
    await writer.write([...recorded.writes, ...further, { type: 'put-session', row: nextRow }]);
    book = recorded.book;
    return ok<Handled>({ performed: performAll(believe(facts, nextRow)) });
  };
  const handle = (command: Command, writes: readonly StoreWrite[] = []): Promise<Result<Handled>> =>
    mailbox.run(() => settle(command, writes));

  const performAll = async (effects: readonly Effect[]): Promise<void> => {
    for (const effect of effects) await perform(effect);
    mailbox.post(() => feed.publish(tellStatus()));
  };

  const endTurn = (turnId: string, error: ProviderError | null): void => {
    const terminal = error
      ? ({ type: 'turn_error', turnId, sessionId, errorCode: error.code, errorMessage: error.message } as const)
      : ({ type: 'turn_complete', turnId, sessionId, status: 'cancelled' } as const);
    accept(closeTurn(session, terminal, now()));
  };

  const perform = createPerform(link, {
    isWanted: (turnId) => session.turn?.turnId === turnId && session.turn.phase !== 'cancelling',
    agentIsThere: (turnId) =>
      mailbox.run(async () => {
        const arrived = agentArrived(book, turnId);
        if (!arrived) return;
        await writer.write(arrived.writes);
        book = arrived.book;
      }),
    done: (turnId, sent) => mailbox.post(() => (sent ? feed.publish(tellStatus()) : endTurn(turnId, null))),
    failed: (turnId, error) => mailbox.post(() => endTurn(turnId, error)),
    notCancelled: (turnId) => mailbox.post(() => accept([{ type: 'cancel-failed', turnId }])),
    notSteered: (itemId, { code, message }) =>
      mailbox.post(() => {
        const item = items.find(itemId);
        // It goes on as a message of its own: here it is folded away.
        const errorCode = code === 'TURN_NOT_FOUND' ? 'SUPERSEDED' : code;
        const failure = { status: 'error', errorCode, errorMessage: message } as const;
        if (item) publish([items.take({ ...item, ...failure })]);
      }),
  });

  link.listen(
    hearAgent({
      session: () => session,
      now,
      post: mailbox.post,
      run: (task) => void mailbox.run(task).catch(deps.onError),
      changes: deps.changes,
      take: (upsert, how) => publish([items.take(upsert, how)]),
      learn(patch) {
        info = { ...info, ...patch };
        const { title: _title, ...rest } = info;
        row = rowAfter({ ...row, info: rest }, [], now(), patch.title);
        pace.put(wholeInfo());
      },
      accept,
      endTurn,
    }),
  );
  directory.put(summaryOf(row, told));

  return {
    sessionId,
    row: () => row,
    session: () => session,
    info: wholeInfo,
    status,
    pages,
    items,
    handle,
    ...createSending({ sessionId, session: () => session, store, run: mailbox.run, settle }),
    lastActive: () => lastActive,
    /** Somebody has use for the agent: it is not the longest idle one. */
    touch() {
      lastActive = performance.now();
    },
    /** Changes of the row that are no business of the rules: titles, flags, choices. Durable once it resolves. */
    patch: (change: (row: SessionRow) => SessionRow): Promise<void> =>
      mailbox.run(async () => {
        const nextRow = change(row);
        await writer.write([{ type: 'put-session', row: nextRow }]);
        believe([], nextRow);
      }),
    /** A state of an item is on disk: memory lets go of it once it has ended. */
    written(itemRow: Parameters<SessionItems['written']>[0]) {
      if (items.written(itemRow)) feed.release(`item:${itemRow.itemId}`);
    },
    /** Takes in what the agent's own record has and ours lacks; readers are then sent a new history. */
    merge: (replay: ReplayedHistory): Promise<void> =>
      mailbox.run(async () => {
        await writer.flush(sessionId);
        const added = mergeReplay(store, sessionId, replay);
        if (added.length === 0) return;
        await writer.write(added);
        items.makeRoom();
        book = { ...book, nextPosition: Math.max(book.nextPosition, store.nextPlaces(sessionId).position) };
        feed.renew();
      }),
    /** Ends the idle agent's process; the next message wakes it. */
    sleep: (): Promise<void> =>
      mailbox.run(async () => {
        if (isBusy(session) || session.permissions.length > 0 || link.hasBackgroundWork()) return;
        await link.kill();
        feed.publish(tellStatus());
      }),
    /** What the agent says cannot be written for now, or can be again. */
    setTrouble: (error: SessionError | null) =>
      mailbox.post(() => {
        trouble = error;
        feed.publish(tellStatus());
      }),
    /** The server is going: what runs may end, what waits stays for the next start. */
    rest() {
      isResting = true;
    },
    /** Everything heard so far has been taken in. */
    settled: (): Promise<void> => mailbox.run(async () => pace.flush()),
    close() {
      pace.stop();
      feed.close();
    },
  };
}
