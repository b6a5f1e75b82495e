import { type HistoryPage, ok, type Result, type SessionHistory, type SessionInfo } from '@liminal/contracts';
import { decide } from '@liminal/domain/session/decide';
import { acceptsTurnEvent, closeTurn } from '@liminal/domain/session/close-turn';
import type { Command } from '@liminal/domain/session/command';
import { evolve } from '@liminal/domain/session/evolve';
import type { AgentFact, Effect, Fact } from '@liminal/domain/session/fact';
import { isBusy, runningTurnId, type Message, type Session } from '@liminal/domain/session/session';
import { queuedMessage, steeredItem, tell } from '@liminal/domain/session/tell';
import { sameStatus, statusOf } from '@liminal/domain/session/session-status';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import type { SessionBus } from '../bus/session-bus.ts';
import type { ProviderError } from '../providers/provider-error.ts';
import type { SessionRow, StoreWrite } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { AgentLink } from './agent-link.ts';
import { readHistoryPage } from './history-reader.ts';
import type { ItemWriter } from './item-writer.ts';
import { createLiveTurns } from './live-turns.ts';
import { createMailbox } from './mailbox.ts';
import { recordFacts, type TurnBook } from './record-facts.ts';
import { rowAfter, summaryOf } from './session-row.ts';
import type { SessionItems } from './session-items.ts';
import type { SessionDirectory } from '../bus/directory.ts';

export type SessionShellDeps = {
  readonly session: Session;
  readonly book: TurnBook;
  readonly row: SessionRow;
  readonly items: SessionItems;
  readonly link: AgentLink;
  readonly store: Store;
  readonly writer: ItemWriter;
  readonly bus: SessionBus;
  readonly directory: SessionDirectory;
  readonly now: () => string;
  readonly onError: (error: unknown) => void;
  readonly historyBytes: number;
};

export type Handled = {
  /** Settles when the agent has been told, too. */
  readonly performed: Promise<void>;
};

export type Sent = Handled & { readonly turnId: string };

const firstPageTurns = 200;

export type SessionShell = ReturnType<typeof createSessionShell>;

/** One open session. Decide, write, believe, tell, act: in that order, for every command. */
export function createSessionShell(deps: SessionShellDeps) {
  const { store, writer, items, link, directory, now } = deps;
  const { sessionId } = deps.row;
  const mailbox = createMailbox(deps.onError);
  const turns = createLiveTurns(writer);
  let { session, book, row } = deps;
  let info: SessionInfo = row.info;
  let lastActive = Date.parse(now());

  const status = () => statusOf(session, link.isAlive());
  /** Whole turns before a position, newest ones that fit. */
  const readPage = (before: number | null, maxTurns: number, maxBytes: number): HistoryPage =>
    readHistoryPage(store, { ...items, turns }, { sessionId, before, maxTurns, maxBytes });
  const history = (): SessionHistory => {
    const page = readPage(null, firstPageTurns, deps.historyBytes);
    return {
      entries: page.entries,
      turns: page.turns,
      hasMore: page.nextBefore !== null,
      permissions: [...session.permissions],
      queue: session.queue.map(queuedMessage),
      status: status(),
      info: { ...info, title: row.title },
    };
  };
  const feed = deps.bus.open(sessionId, {
    history,
    resolve(key) {
      const item = key.startsWith('item:') ? items.find(key.slice('item:'.length)) : undefined;
      return item && { type: 'session:upsert', payload: item };
    },
  });
  let told = status();

  const tellStatus = (): ChangeBody[] => {
    const current = status();
    directory.put(summaryOf(row, current));
    if (sameStatus(told, current)) return [];
    told = current;
    return [{ type: 'session:status', payload: current }];
  };

  const believe = (facts: readonly Fact[], nextRow: SessionRow): Effect[] => {
    const effects: Effect[] = [];
    const telling: ChangeBody[] = [];
    for (const fact of facts) {
      const before = session;
      const next = evolve(session, fact);
      session = next.session;
      effects.push(...next.effects);
      for (const body of tell(before, fact, session)) {
        telling.push(body.type === 'session:upsert' ? items.take(body.payload) : body);
      }
    }
    const retitled = nextRow.title !== row.title;
    row = nextRow;
    lastActive = Date.parse(now());
    if (retitled) telling.push({ type: 'session:info', payload: { ...info, title: row.title } });
    feed.publish([...telling, ...tellStatus()]);
    return effects;
  };

  /** What an agent did: believed and told at once, written behind. */
  const accept = (facts: readonly AgentFact[]): void => {
    if (facts.length === 0) return;
    const recorded = recordFacts(sessionId, book, facts);
    const nextRow = rowAfter(row, facts, now());
    book = recorded.book;
    for (const write of recorded.writes) turns.put(write);
    writer.add({ type: 'put-session', row: nextRow });
    believe(facts, nextRow);
    if (facts.some((fact) => fact.type === 'turn-ended')) void handle({ type: 'advance' }).catch(deps.onError);
  };

  /** What a person did: written before it is believed, told or acknowledged. To be called inside the mailbox. */
  const settle = async (command: Command, writes: readonly StoreWrite[] = [], clientMessageId: string | null = null) => {
    const decision = decide(session, command, now());
    if (!decision.ok) return decision;
    const facts = decision.value;
    if (facts.length === 0) return ok<Handled>({ performed: Promise.resolve() });
    const recorded = recordFacts(sessionId, book, facts, clientMessageId);
    const nextRow = rowAfter(row, facts, now());
    const steered = facts.filter((fact) => fact.type === 'message-steered');
    const steeredItems = steered.map((fact) => ({ type: 'put-item', row: items.rowOf(steeredItem(sessionId, fact)) }) as const);
    await store.write([...recorded.writes, ...steeredItems, ...writes, { type: 'put-session', row: nextRow }]);
    book = recorded.book;
    return ok<Handled>({ performed: performAll(believe(facts, nextRow)) });
  };
  const handle = (command: Command, writes: readonly StoreWrite[] = []): Promise<Result<Handled>> =>
    mailbox.run(() => settle(command, writes));

  const performAll = async (effects: readonly Effect[]): Promise<void> => {
    for (const effect of effects) await perform(effect);
    mailbox.post(() => feed.publish(tellStatus()));
  };

  const perform = async (effect: Effect): Promise<void> => {
    switch (effect.type) {
      case 'send-message': {
        // Not awaited by the sender: starting an agent may take seconds, and the message is safe already.
        const { turnId } = effect.message;
        const isWanted = () => session.turn?.turnId === turnId && session.turn.phase !== 'cancelling';
        void link.send(effect.message, isWanted).then(
          (sent) => mailbox.post(() => (sent ? feed.publish(tellStatus()) : endTurn(turnId, null))),
          (error: ProviderError) => mailbox.post(() => endTurn(turnId, error)),
        );
        return;
      }
      case 'steer-message':
        return link.steer(effect.message);
      case 'cancel-turn':
        return link.cancel();
      case 'resolve-permission':
        return link.resolve(effect.answer);
      case 'kill-process':
        return link.kill();
    }
  };

  const endTurn = (turnId: string, error: ProviderError | null): void => {
    const terminal = error
      ? ({ type: 'turn_error', turnId, sessionId, errorCode: error.code, errorMessage: error.message } as const)
      : ({ type: 'turn_complete', turnId, sessionId, status: 'cancelled' } as const);
    accept(closeTurn(session, terminal, now()));
  };

  link.listen({
    upsert: (upsert, how) => mailbox.post(() => feed.publish([items.take(upsert, how)])),
    turn: (event) =>
      mailbox.post(() => {
        if (!acceptsTurnEvent(session, event)) return;
        accept(
          event.type === 'turn_started'
            ? [{ type: 'turn-started', event, at: now() }]
            : closeTurn(session, event, now()),
        );
      }),
    permission: (signal) =>
      mailbox.post(() => {
        if (signal.state === 'open') return accept([{ type: 'permission-opened', request: signal.request }]);
        const { requestId, reason } = signal;
        if (session.permissions.some((open) => open.requestId === requestId)) {
          accept([{ type: 'permission-ended', requestId, reason }]);
        }
      }),
    info: (patch) =>
      mailbox.post(() => {
        info = { ...info, ...patch };
        const { title: _title, ...rest } = info;
        const nextRow = rowAfter({ ...row, info: rest }, [], now(), patch.title);
        writer.add({ type: 'put-session', row: nextRow });
        row = nextRow;
        feed.publish([{ type: 'session:info', payload: { ...info, title: row.title } }, ...tellStatus()]);
      }),
    closed: (reason) =>
      mailbox.post(() => {
        const at = now();
        const running = [session.agentTurn, session.turn?.turnId].filter((turnId) => typeof turnId === 'string');
        for (const turnId of running) endTurn(turnId, reason);
        accept([{ type: 'process-closed', error: { code: reason.code, message: reason.message, at } }]);
      }),
  });
  directory.put(summaryOf(row, told));

  return {
    sessionId,
    row: () => row,
    session: () => session,
    info: (): SessionInfo => ({ ...info, title: row.title }),
    status,
    readPage,
    items,
    handle,
    /** The same client message id again is the same message: it returns the same turn and sends nothing. */
    send: (message: Message, clientMessageId: string | null, type: 'send' | 'steer' = 'send'): Promise<Result<Sent>> =>
      mailbox.run(async () => {
        const known = clientMessageId === null ? undefined : store.turnOfClientMessage(sessionId, clientMessageId);
        if (known !== undefined) return ok({ turnId: known, performed: Promise.resolve() });
        const steered = type === 'steer' ? runningTurnId(session) : null;
        const handled = await settle({ type, message }, [], clientMessageId);
        if (!handled.ok) return handled;
        const isQueued = session.queue.some(({ turnId }) => turnId === message.turnId) || session.turn?.turnId === message.turnId;
        return ok({ turnId: isQueued ? message.turnId : (steered ?? message.turnId), performed: handled.value.performed });
      }),
    accept: (facts: readonly AgentFact[]) => mailbox.post(() => accept(facts)),
    lastActive: () => lastActive,
    /** Changes of the row that are no business of the rules: titles, flags, choices. Durable once it resolves. */
    patch: (change: (row: SessionRow) => SessionRow): Promise<void> =>
      mailbox.run(async () => {
        const nextRow = change(row);
        await store.write([{ type: 'put-session', row: nextRow }]);
        believe([], nextRow);
      }),
    /** A state of an item is on disk: memory lets go of it once it has ended. */
    written(itemRow: Parameters<SessionItems['written']>[0]) {
      if (items.written(itemRow)) feed.release(`item:${itemRow.itemId}`);
    },
    /** History changed underneath the readers: they are sent a new one. */
    renew: () => mailbox.post(() => feed.renew()),
    /** Ends the idle agent's process; the next message wakes it. */
    sleep: (): Promise<void> =>
      mailbox.run(async () => {
        if (isBusy(session)) return;
        await link.kill();
        feed.publish(tellStatus());
      }),
    close: () => feed.close(),
  };
}
