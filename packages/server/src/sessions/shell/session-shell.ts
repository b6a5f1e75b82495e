import {
  fail,
  ok,
  type FolderChanged,
  type Result,
  type ReviewComment,
  type SessionError,
  type SessionInfo,
  type SessionPlace,
  type TurnChanges,
} from '@liminal/contracts';
import { factsOfSignal } from '@liminal/domain/session/agent-signal';
import { applyFacts } from '@liminal/domain/session/changes-from';
import type { Command } from '@liminal/domain/session/command';
import { decide } from '@liminal/domain/session/decide';
import type { AgentFact, Effect, Fact } from '@liminal/domain/session/fact';
import { factsOfOutcome, type Outcome } from '@liminal/domain/session/outcome';
import { withRefusal } from '@liminal/domain/session/refused-calls';
import { isBusy, type Message, type Session } from '@liminal/domain/session/session';
import { openAskOf } from '@liminal/domain/session/open-ask';
import { statusOf } from '@liminal/domain/session/session-status';
import type { SessionDirectory } from '../../bus/directory.ts';
import type { SessionBus } from '../../bus/session-bus.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { ReplayedHistory } from '../../providers/provider.ts';
import type { SessionRow, StoreWrite } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { mergeReplay } from '../history/merge-replay.ts';
import { createSessionPages } from '../history/session-pages.ts';
import { createAgentRenewal, hasUnfinishedWork } from './agent-renewal.ts';
import type { TurnCheckpoints } from '../review/turn-checkpoints.ts';
import type { ItemWriter } from '../writing/item-writer.ts';
import { recordFacts, type TurnBook } from '../writing/record-facts.ts';
import { createUnwrittenTurns } from '../writing/unwritten-turns.ts';
import { notHandedOver, type AgentLink } from './agent-link.ts';
import { agentListeners } from './agent-event.ts';
import { createMailbox } from './mailbox.ts';
import { perform } from './perform.ts';
import { requestWrites } from './permission-decision.ts';
import type { ChangePlacer } from './place-changes.ts';
import { createSending, type Handled } from './send-message.ts';
import type { SessionItems } from './session-items.ts';
import { createSessionPublisher, type SessionView } from './session-publisher.ts';
import { rowAfter, summaryOf } from './session-row.ts';
import { createWorkTracker } from './work-tracker.ts';

export type SessionShellDeps = {
  readonly session: Session;
  readonly book: TurnBook;
  readonly row: SessionRow;
  readonly items: SessionItems;
  readonly link: AgentLink;
  readonly changes: ChangePlacer;
  readonly checkpoints?: Pick<TurnCheckpoints, 'begin' | 'ended' | 'idle'>;
  /** Where the session works, as far as it is known now, and how to look again. */
  readonly place?: (row: SessionRow) => SessionPlace | null;
  readonly readPlace?: (row: SessionRow) => Promise<SessionPlace | null>;
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

/** One open session. Decide, write, apply, publish, act: in that order, for every command. */
export function createSessionShell(deps: SessionShellDeps) {
  const { store, writer, items, link, now, onError } = deps;
  const { sessionId } = deps.row;
  const mailbox = createMailbox(onError);
  const turns = createUnwrittenTurns(writer);
  let { session, book, row } = deps;
  let info: SessionInfo = row.info;
  let lastActive = performance.now();
  let trouble: SessionError | null = null;
  let isResting = false;
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
  const pages = createSessionPages({ ...deps, sessionId, turns });
  const publisher = createSessionPublisher({ ...deps, view, pages, post: mailbox.post });
  const renewal = createAgentRenewal({ session: view.session, link, isTrusted: deps.isTrusted });

  const apply = (facts: readonly Fact[], nextRow: SessionRow): readonly Effect[] => {
    const applied = applyFacts(session, facts);
    const isRetitled = nextRow.title !== row.title;
    work.facts(facts);
    session = applied.session;
    row = nextRow;
    lastActive = performance.now();
    for (const fact of facts) {
      if (fact.type === 'message-handed') deps.checkpoints?.begin(fact.message.turnId);
      if (fact.type === 'turn-ended') {
        deps.checkpoints?.ended(fact.event.turnId);
        // The agent may have gone to another branch.
        void deps.readPlace?.(row).then(() => mailbox.post(() => publisher.publish()), onError);
      }
    }
    publisher.publish(applied.changes);
    if (isRetitled) publisher.publishInfo();
    return applied.effects;
  };

  /** What an agent did: applied and published at once, written behind. */
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
    // In its own step: the agent may say in the same breath that it goes on with another turn.
    queueMicrotask(advance);
  };

  /** Hands over the next message. Tried again while the disk refuses, so that a queue never stands still. */
  const advance = (): void => {
    handle({ type: 'advance' }).catch((error: unknown) => {
      if (isClosed) return;
      onError(error);
      setTimeout(advance, advanceAgainMs).unref();
    });
  };

  /** What a person did: written before it is applied, published or acknowledged. To be called inside the mailbox. */
  const settle = async (
    command: Command,
    writes: readonly StoreWrite[] = [],
    clientMessageId: string | null = null,
  ): Promise<Result<Handled>> => {
    if (await renewal.endIfDue(command.type === 'open')) publisher.publish();
    const decision = decide(session, command, now());
    if (!decision.ok) return decision;
    const facts =
      isResting || !deps.mayStart() ? decision.value.filter((fact) => fact.type !== 'message-handed') : decision.value;
    if (facts.length === 0) return ok({ performed: Promise.resolve(ok(null)) });
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
      // Not awaited by the sender: starting an agent may take seconds, and the message is safe already.
      if (effect.type === 'wake-agent' || effect.type === 'send-message') continue;
      const outcome = await performed;
      if ('error' in outcome) return fail(outcome.error.code, outcome.error.message);
    }
    return ok(null);
  };
  /** Takes in what became of an effect, in its place among the other things of the session. */
  const finish = (outcome: Outcome): Outcome => {
    if (outcome.type === 'agent-ready') deliver(outcome.message);
    else
      mailbox.post(() => {
        const facts = factsOfOutcome(session, outcome, now());
        if (facts.length > 0) accept(facts);
        else publisher.publish();
      });
    return outcome;
  };
  const deliver = (message: Message): void => {
    const delivering = mailbox.run(async () => {
      accept(factsOfOutcome(session, { type: 'agent-ready', message }, now()));
      await settle({ type: 'deliver', message });
    });
    delivering.catch((thrown: unknown) =>
      finish({ type: 'not-started', turnId: message.turnId, error: notHandedOver(thrown) }),
    );
  };

  link.listen(
    agentListeners({
      mailbox,
      changes: deps.changes,
      onItem(upsert, how) {
        publisher.publishItem(withRefusal(session, upsert), how);
        work.item(upsert);
      },
      onInfo(patch) {
        info = { ...info, ...patch };
        const { title: _title, ...rest } = info;
        row = rowAfter({ ...row, info: rest }, [], now(), { agentTitle: patch.title });
        publisher.publishInfo();
      },
      onSignal: (signal) => accept(factsOfSignal(session, signal, now())),
      onError,
    }),
  );
  /** From now on nothing of the session is written, published or handed to its agent here. */
  const close = (): void => {
    isClosed = true;
    mailbox.close(new ProviderError('SESSION_NOT_FOUND', 'This session is no longer here.'));
    publisher.close();
    work.stop();
  };

  return {
    sessionId,
    ...view,
    pages,
    items,
    handle,
    ...createSending({ sessionId, session: view.session, store, run: mailbox.run, settle, write: writer.write }),
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
        apply([], nextRow);
      }),
    /** Writes what belongs to a review, in its place among the other things of the session. Durable once it resolves. */
    recordReview: (writes: readonly StoreWrite[]): Promise<void> =>
      mailbox.run(async () => {
        if (writes.length > 0) await writer.write(writes);
      }),
    publishComments: (comments: readonly ReviewComment[]): Promise<void> =>
      mailbox.run(async () => publisher.publish([{ type: 'session:comments', payload: { comments: [...comments] } }])),
    publishFolderChanged: (changed: FolderChanged): void =>
      mailbox.post(() => publisher.publish([{ type: 'session:changes', payload: changed }])),
    /** Adds to the end of a turn what changed in the folder, for readers and on disk. */
    addTurnChanges: (turnId: string, changes: TurnChanges): Promise<void> =>
      mailbox.run(async () => {
        const known = turns.unwritten().find((turn) => turn.turnId === turnId) ?? store.turn(sessionId, turnId);
        if (!known?.ended) return;
        const ended = { ...known.ended, changes };
        turns.put({ type: 'put-turn', row: { ...known, ended } });
        publisher.publish([{ type: 'session:turn', payload: ended }]);
      }),
    written: publisher.written,
    /** Takes in what the agent's own record has and ours lacks; readers are then sent a new history. True if so. */
    merge: (replay: ReplayedHistory): Promise<boolean> =>
      mailbox.run(async () => {
        await writer.flush(sessionId);
        const added = mergeReplay(store, sessionId, replay, now());
        if (added.length === 0) return false;
        await writer.write(added);
        items.reloadNextOrder();
        book = { ...book, nextPosition: Math.max(book.nextPosition, store.nextPlaces(sessionId).position) };
        publisher.sendHistory();
        return true;
      }),
    sendHistory: (): Promise<void> => mailbox.run(async () => publisher.sendHistory()),
    loadFailed: (error: ProviderError): void =>
      mailbox.post(() => accept(factsOfSignal(session, { type: 'load-failed', error }, now()))),
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
        publisher.publish();
      }),
    /** What the agent says cannot be written for now, or can be again. */
    setTrouble: (error: SessionError | null) =>
      mailbox.post(() => {
        trouble = error;
        publisher.publish();
      }),
    /** The server is going: what runs may end, what waits stays for the next start. */
    rest() {
      isResting = true;
    },
    /** Everything heard so far has been taken in. */
    async settled(): Promise<void> {
      await mailbox.run(async () => publisher.flushInfo());
      await deps.checkpoints?.idle();
    },
    /** Forgets the session, also on disk. */
    remove: (): Promise<void> =>
      mailbox.run(async () => {
        await writer.write([{ type: 'remove-session', sessionId }]);
        close();
      }),
    close,
  };
}
