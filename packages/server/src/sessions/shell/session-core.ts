import { fail, ok, type Result, type SessionError, type SessionInfo, type SessionPlace } from '@liminal/contracts';
import { factsOfSignal } from '@liminal/domain/session/agent-signal';
import { applyFacts } from '@liminal/domain/session/changes-from';
import type { Command } from '@liminal/domain/session/command';
import { decide } from '@liminal/domain/session/decide';
import type { AgentFact, Effect, Fact } from '@liminal/domain/session/fact';
import { factsOfOutcome, type Outcome } from '@liminal/domain/session/outcome';
import { withRefusal } from '@liminal/domain/session/refused-calls';
import { type Message, type Session, statusOf } from '@liminal/domain/session/session';
import { openAskOf } from '@liminal/domain/session/open-ask';
import type { SessionDirectory } from '../../bus/directory.ts';
import type { SessionBus } from '../../bus/session-bus.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { SessionRow, StoreWrite } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { createSessionPages } from '../history/session-pages.ts';
import { isRenewalDue } from './agent-renewal.ts';
import type { TurnCheckpoints } from '../review/turn-checkpoints.ts';
import { type ItemWriter, createUnwrittenTurns } from '../writing/item-writer.ts';
import { recordFacts, type TurnBook } from '../writing/record-facts.ts';
import { notHandedOver, type AgentLink } from './agent-link.ts';
import { needsFiles, placeChangesOf, type AgentEvent } from './agent-event.ts';
import { createMailbox } from './mailbox.ts';
import { createModeSwitches } from './mode-switches.ts';
import { perform } from './perform.ts';
import { requestWrites } from './permission-decision.ts';
import type { ChangePlacer } from './place-changes.ts';
import type { SessionItems } from './session-items.ts';
import { createSessionPublisher, type SessionView } from './session-publisher.ts';
import { rowAfter, summaryOf } from './session-row.ts';
import { createWorkTracker } from './work-tracker.ts';

export type SessionCoreDeps = {
  readonly session: Session;
  readonly book: TurnBook;
  readonly row: SessionRow;
  readonly items: SessionItems;
  readonly link: AgentLink;
  readonly changes: ChangePlacer;
  readonly checkpoints?: Pick<TurnCheckpoints, 'expect' | 'begin' | 'noteCall' | 'ended' | 'idle'>;
  /** Where the session works, as far as known, and how to read that again. */
  readonly place?: (row: SessionRow) => SessionPlace | null;
  readonly readPlace?: (row: SessionRow) => Promise<SessionPlace | null>;
  /** Whether the agent may start in its folder now. */
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

export type Handled = {
  /** Settles when the agent has acted, too; a failure says why it didn't. */
  readonly performed: Promise<Result<null>>;
};

export type SessionCore = ReturnType<typeof createSessionCore>;

/**
 * The state of one open session, and the only place that changes it. For every command, in this order: decide, write,
 * apply, publish, act. Agent events and outcomes of effects arrive as values and become facts.
 */
export function createSessionCore(deps: SessionCoreDeps) {
  const { store, writer, items, link, now, onError } = deps;
  const { sessionId } = deps.row;
  const mailbox = createMailbox(onError);
  const turns = createUnwrittenTurns(writer);
  let { session, book, row } = deps;
  let info: SessionInfo = row.info;
  let lastActive = performance.now();
  let trouble: SessionError | null = null;
  let isResting = false;
  /** The folder's trust has changed since the process was started. */
  let isRenewalWanted = false;
  let isClosed = false;

  const view: SessionView = {
    row: () => row,
    session: () => session,
    status: () => ({ ...statusOf(session, link.isAlive()), ...(trouble ? { lastError: trouble } : {}) }),
    info: () => ({ ...info, title: row.title }),
    summary: () =>
      summaryOf(row, view.status(), {
        working: work.running(),
        asks: openAskOf(session.permissions),
        place: deps.place?.(row),
      }),
  };
  const work = createWorkTracker({ publish: () => publisher.publish(), post: mailbox.post });
  const modeSwitches = createModeSwitches();
  const pages = createSessionPages({ ...deps, sessionId, turns });
  const publisher = createSessionPublisher({ ...deps, view, pages, post: mailbox.post });

  const apply = (facts: readonly Fact[], nextRow: SessionRow): readonly Effect[] => {
    const applied = applyFacts(session, facts);
    const isRetitled = nextRow.title !== row.title;
    work.facts(facts);
    modeSwitches.facts(facts);
    session = applied.session;
    row = nextRow;
    lastActive = performance.now();
    for (const fact of facts) {
      if (fact.type === 'message-handed') deps.checkpoints?.begin(fact.message.turnId);
      if (fact.type === 'turn-ended') {
        deps.checkpoints?.ended(fact.event.turnId);
        // The agent may have switched branches.
        void deps.readPlace?.(row).then(() => mailbox.post(() => publisher.publish()), onError);
      }
    }
    publisher.publish(applied.changes);
    if (isRetitled) publisher.publishInfo();
    return applied.effects;
  };

  /** What an agent did: applied and published immediately, written with a delay. */
  const accept = (facts: readonly AgentFact[]): void => {
    if (facts.length === 0) return;
    const recorded = recordFacts(sessionId, book, facts);
    const nextRow = rowAfter(row, facts, now(), { changed: work.changed() });
    book = recorded.book;
    for (const write of [...recorded.writes, ...requestWrites(session, facts, now())]) turns.put(write);
    writer.add({ type: 'put-session', row: nextRow });
    apply(facts, nextRow);
    if (!facts.some((fact) => fact.type === 'turn-ended')) return;
    publisher.flushInfo();
    // In a separate step: the agent may report at the same time that it continues with another turn.
    queueMicrotask(advance);
  };

  /** Sends the next message. Retries while the disk rejects writes, so a queue never gets stuck. */
  const advance = (): void => {
    handle({ type: 'advance' }).catch((error: unknown) => {
      if (isClosed) return;
      onError(error);
      setTimeout(advance, advanceAgainMs).unref();
    });
  };

  /** Runs before anything is sent to the agent. True when its process was ended: the next message starts another. */
  const renewIfDue = async (isOpening: boolean): Promise<boolean> => {
    if (!isRenewalWanted || !isRenewalDue({ session, link, isTrusted: deps.isTrusted(), isOpening })) return false;
    isRenewalWanted = false;
    await link.kill();
    return true;
  };

  /** What a user did: written before it is applied, published or acknowledged. Call inside the mailbox. */
  const settle = async (
    command: Command,
    writes: readonly StoreWrite[] = [],
    clientMessageId: string | null = null,
  ): Promise<Result<Handled>> => {
    if (await renewIfDue(command.type === 'open')) publisher.publish();
    const decision = decide(session, command, now());
    if (!decision.ok) return decision;
    const facts =
      isResting || !deps.mayStart() ? decision.value.filter((fact) => fact.type !== 'message-handed') : decision.value;
    if (facts.length === 0) return ok({ performed: Promise.resolve(ok(null)) });
    for (const fact of facts) if (fact.type === 'message-handed') deps.checkpoints?.expect(fact.message.turnId);
    const recorded = recordFacts(sessionId, book, facts, { clientMessageId, agentIsThere: link.isAlive() });
    const nextRow = rowAfter(row, facts, now(), { changed: work.changed() });
    const further = [...items.steered(facts), ...requestWrites(session, facts, now()), ...writes];
    const all = [...recorded.writes, ...further];
    if (all.length > 0 || nextRow !== row) await writer.write([...all, { type: 'put-session', row: nextRow }]);
    book = recorded.book;
    return ok({ performed: act(apply(facts, nextRow)) });
  };
  const handle = (command: Command, writes: readonly StoreWrite[] = []): Promise<Result<Handled>> =>
    mailbox.run(() => settle(command, writes));

  const act = async (effects: readonly Effect[]): Promise<Result<null>> => {
    for (const effect of effects) {
      const performed = perform(link, effect).then(finish);
      // The sender doesn't wait: starting an agent may take seconds, and the message is already durable.
      if (effect.type === 'wake-agent' || effect.type === 'send-message') continue;
      const outcome = await performed;
      if ('error' in outcome) return fail(outcome.error.code, outcome.error.message);
    }
    return ok(null);
  };
  /** Handles the outcome of an effect, in order with the session's other tasks. */
  const finish = (outcome: Outcome): Outcome => {
    if (outcome.type === 'agent-ready') deliver(outcome.message);
    else
      mailbox.post(() => {
        if (isLeftForRecovery(outcome)) return;
        const facts = factsOfOutcome(session, outcome, now());
        if (facts.length > 0) accept(facts);
        else publisher.publish();
      });
    return outcome;
  };
  /** The stopping server ended the agent, which is no failure: the next start queues the message again. */
  const isLeftForRecovery = (outcome: Outcome): boolean =>
    isResting &&
    (outcome.type === 'not-started' || outcome.type === 'sending-stopped') &&
    session.turn?.turnId === outcome.turnId &&
    session.turn.phase === 'sending';
  const deliver = (message: Message): void => {
    const delivering = mailbox.run(async () => {
      accept(factsOfOutcome(session, { type: 'agent-ready', message }, now()));
      // The agent is about to be ended. Recovery knows from the row that the message wasn't sent.
      if (isResting && book.open.get(message.turnId)?.awaitsAgent) return;
      await settle({ type: 'deliver', message });
    });
    delivering.catch((thrown: unknown) =>
      finish({ type: 'not-started', turnId: message.turnId, error: notHandedOver(thrown) }),
    );
  };

  const takeIn = (event: AgentEvent): void => {
    switch (event.type) {
      case 'item':
        publisher.publishItem(withRefusal(session, event.upsert), event.how);
        work.item(event.upsert);
        deps.checkpoints?.noteCall(event.upsert);
        return;
      case 'info': {
        const before = info;
        info = { ...info, ...event.patch };
        const { title: _title, ...rest } = info;
        const options = modeSwitches.optionsAfter(row.options, before, info, session);
        row = rowAfter({ ...row, options, info: rest }, [], now(), { agentTitle: event.patch.title });
        return publisher.publishInfo();
      }
      case 'turn':
      case 'permission-opened':
      case 'permission-ended':
      case 'process-closed':
      case 'load-failed':
        return accept(factsOfSignal(session, event, now()));
    }
  };
  /** In the order of the agent's events; an event that changes a file waits until the file has been read. */
  const hear = (event: AgentEvent): void => {
    if (!needsFiles(event, deps.changes)) return mailbox.post(() => takeIn(event));
    mailbox.run(async () => takeIn(await placeChangesOf(event, deps.changes))).catch(onError);
  };
  /** From now on the session writes, publishes and sends nothing here. */
  const close = (): void => {
    isClosed = true;
    mailbox.close(new ProviderError('SESSION_NOT_FOUND', 'This session is no longer here.'));
    publisher.close();
    work.stop();
  };

  return {
    sessionId,
    view,
    pages,
    publisher,
    turns,
    run: mailbox.run,
    post: mailbox.post,
    settle,
    handle,
    hear,
    /** Starts handling the agent's events. */
    listen: () => link.listen(hear),
    /** Changes the row without a decision. Durable once it resolves. Call inside the mailbox. */
    async putRow(nextRow: SessionRow): Promise<void> {
      await writer.write([{ type: 'put-session', row: nextRow }]);
      apply([], nextRow);
    },
    /** Turns were added on disk: later ones go after them. */
    skipTakenPlaces(): void {
      items.reloadNextOrder();
      book = { ...book, nextPosition: Math.max(book.nextPosition, store.nextPlaces(sessionId).position) };
    },
    wantRenewal(): void {
      isRenewalWanted ||= link.isStartedOrStarting();
    },
    setTrouble(error: SessionError | null): void {
      trouble = error;
      publisher.publish();
    },
    lastActive: () => lastActive,
    touch(): void {
      lastActive = performance.now();
    },
    rest(): void {
      isResting = true;
    },
    close,
  };
}
