import { ok, type Result, type SessionError, type SessionInfo } from '@liminal/contracts';
import { decide } from '@liminal/domain/session/decide';
import type { Command } from '@liminal/domain/session/command';
import { evolve } from '@liminal/domain/session/evolve';
import type { AgentFact, Effect, Fact } from '@liminal/domain/session/fact';
import { isBusy, type Session } from '@liminal/domain/session/session';
import { changesFrom } from '@liminal/domain/session/changes-from';
import { statusOf } from '@liminal/domain/session/session-status';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import type { SessionBus } from '../../bus/session-bus.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { ReplayedHistory } from '../../providers/provider.ts';
import type { SessionRow, StoreWrite } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { AgentLink } from './agent-link.ts';
import { createAgentRenewal, hasUnfinishedWork } from '../service/agent-renewal.ts';
import { hearAgent } from './agent-listeners.ts';
import { throttleInfo } from './throttle-info.ts';
import type { ItemWriter } from '../writing/item-writer.ts';
import { createUnwrittenTurns } from '../writing/unwritten-turns.ts';
import { createMailbox } from './mailbox.ts';
import { mergeReplay } from '../history/merge-replay.ts';
import type { ChangePlacer } from './place-changes.ts';
import { createHandingOver, createPerform } from './perform.ts';
import { requestWrites } from './permission-decision.ts';
import { agentArrived, recordFacts, type TurnBook } from '../writing/record-facts.ts';
import { createSending, type Handled } from './send-message.ts';
import { createSessionPages, feedSource } from '../history/session-pages.ts';
import { rowAfter, summaryOf } from './session-row.ts';
import { createStatusNotices } from './status-notices.ts';
import type { SessionItems } from './session-items.ts';
import { createTurnEnds } from './turn-ends.ts';
import type { SessionDirectory } from '../../bus/directory.ts';

export type SessionShellDeps = {
  readonly session: Session;
  readonly book: TurnBook;
  readonly row: SessionRow;
  readonly items: SessionItems;
  readonly link: AgentLink;
  readonly changes: ChangePlacer;
  /** May the agent be started in its folder now? */
  readonly mayStart: () => boolean;
  readonly isTrusted: () => boolean;
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
  const turns = createUnwrittenTurns(writer);
  let { session, book, row } = deps;
  let info: SessionInfo = row.info;
  let lastActive = performance.now();
  let trouble: SessionError | null = null;
  let isResting = false;
  let isClosed = false;

  const status = () => ({ ...statusOf(session, link.isAlive()), ...(trouble ? { lastError: trouble } : {}) });
  const wholeInfo = (): SessionInfo => ({ ...info, title: row.title });
  const pages = createSessionPages({ ...deps, sessionId, turns });
  const feed = deps.bus.open(sessionId, feedSource({ pages, items, session: () => session, status, info: wholeInfo }));
  const statusChange = createStatusNotices(status, (current) => directory.put(summaryOf(row, current)));
  const publish = (bodies: readonly ChangeBody[]): void => items.persist(feed.epoch, feed.publish(bodies));

  const pace = throttleInfo({
    published: wholeInfo(),
    post: mailbox.post,
    publish(payload) {
      writer.add({ type: 'put-session', row });
      feed.publish([{ type: 'session:info', payload }, ...statusChange()]);
    },
  });

  const believe = (facts: readonly Fact[], nextRow: SessionRow): Effect[] => {
    const effects: Effect[] = [];
    const changes: ChangeBody[] = [];
    for (const fact of facts) {
      const before = session;
      const next = evolve(session, fact);
      session = next.session;
      effects.push(...next.effects);
      changes.push(...changesFrom(before, fact, session));
    }
    const retitled = nextRow.title !== row.title;
    row = nextRow;
    lastActive = performance.now();
    try {
      const placed = changes.map((body) => (body.type === 'session:upsert' ? items.take(body.payload) : body));
      publish([...placed, ...statusChange()]);
      if (retitled) pace.put(wholeInfo());
    } catch (error) {
      // What is true stays true, and the agent still gets its effects: readers get a history instead.
      deps.onError(error);
      items.persist(feed.epoch, []);
      feed.renew();
    }
    return effects;
  };

  /** What an agent did: believed and published at once, written behind. */
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
      if (isClosed) return;
      deps.onError(error);
      setTimeout(advance, advanceAgainMs).unref();
    });
  };

  /** What a person did: written before it is believed, published or acknowledged. To be called inside the mailbox. */
  const settle = async (
    command: Command,
    writes: readonly StoreWrite[] = [],
    clientMessageId: string | null = null,
  ) => {
    await renewal.ifDue(command.type === 'open');
    const decision = decide(session, command, now());
    if (!decision.ok) return decision;
    const facts =
      isResting || !deps.mayStart() ? decision.value.filter((fact) => fact.type !== 'message-handed') : decision.value;
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
    mailbox.post(() => feed.publish(statusChange()));
  };

  const { endTurn, failedToStart } = createTurnEnds({ sessionId, session: () => session, now, accept });
  const renewal = createAgentRenewal({
    session: () => session,
    link,
    isTrusted: deps.isTrusted,
    renewed: () => void feed.publish(statusChange()),
  });

  const perform = createPerform(
    link,
    createHandingOver({
      session: () => session,
      post: mailbox.post,
      agentIsThere: (turnId) =>
        mailbox.run(async () => {
          const arrived = agentArrived(book, turnId);
          if (!arrived) return;
          await writer.write(arrived.writes);
          book = arrived.book;
        }),
      accept,
      endTurn,
      failedToStart,
      publishStatus: () => void feed.publish(statusChange()),
      failItem(itemId, errorCode, errorMessage) {
        const item = items.find(itemId);
        if (item) publish([items.take({ ...item, status: 'error', errorCode, errorMessage })]);
      },
    }),
  );

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
  /** From now on nothing of the session is written, published or handed to its agent here. */
  const close = (): void => {
    isClosed = true;
    mailbox.close(new ProviderError('SESSION_NOT_FOUND', 'This session is no longer here.'));
    pace.stop();
    feed.close();
  };

  return {
    sessionId,
    row: () => row,
    session: () => session,
    info: wholeInfo,
    status,
    pages,
    items,
    handle,
    ...createSending({ sessionId, session: () => session, store, run: mailbox.run, settle, write: writer.write }),
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
    /** Takes in what the agent's own record has and ours lacks; readers are then sent a new history. True if so. */
    merge: (replay: ReplayedHistory): Promise<boolean> =>
      mailbox.run(async () => {
        await writer.flush(sessionId);
        const added = mergeReplay(store, sessionId, replay, now());
        if (added.length === 0) return false;
        await writer.write(added);
        items.reloadNextOrder();
        book = { ...book, nextPosition: Math.max(book.nextPosition, store.nextPlaces(sessionId).position) };
        feed.renew();
        return true;
      }),
    /** Every reader is sent a new history. */
    sendHistory: (): Promise<void> => mailbox.run(async () => feed.renew()),
    /** Opening the session has failed; that a person ended it meanwhile is no failure. */
    loadFailed: (error: ProviderError): void =>
      mailbox.post(() => {
        if (session.life === 'loading' && error.code !== 'SESSION_DEAD') failedToStart(error);
      }),
    /** The folder's trust changed: takes effect now, or when the turn ends. */
    trustChanged: (): Promise<void> =>
      mailbox.run(async () => {
        renewal.want();
        // Also hands over what could not go in while the folder was not trusted.
        await settle({ type: 'advance' });
      }),
    /** Ends the idle agent's process; the next message wakes it. */
    sleep: (): Promise<void> =>
      mailbox.run(async () => {
        if (isBusy(session) || session.life === 'loading' || hasUnfinishedWork(session, link)) return;
        await link.kill();
        feed.publish(statusChange());
      }),
    /** What the agent says cannot be written for now, or can be again. */
    setTrouble: (error: SessionError | null) =>
      mailbox.post(() => {
        trouble = error;
        feed.publish(statusChange());
      }),
    /** The server is going: what runs may end, what waits stays for the next start. */
    rest() {
      isResting = true;
    },
    /** Everything heard so far has been taken in. */
    settled: (): Promise<void> => mailbox.run(async () => pace.flush()),
    /** Forgets the session, also on disk. */
    remove: (): Promise<void> =>
      mailbox.run(async () => {
        await writer.write([{ type: 'remove-session', sessionId }]);
        close();
      }),
    close,
  };
}
