import type { FolderChanged, ReviewComment, SessionError, TurnChanges } from '@liminal/contracts';
import { isBusy } from '@liminal/domain/session/session';
import type { ProviderError } from '../../providers/provider-error.ts';
import type { ReplayedHistory } from '../../providers/provider.ts';
import type { SessionRow, StoreWrite } from '../../store/rows.ts';
import { mergeReplay } from '../history/merge-replay.ts';
import { hasUnfinishedWork } from './agent-renewal.ts';
import { createSending } from './send-message.ts';
import { createSessionCore, type SessionCoreDeps } from './session-core.ts';

export type SessionShell = ReturnType<typeof createSessionShell>;

/** One open session, and everything that can be done to it. All tasks of the session run in order. */
export function createSessionShell(deps: SessionCoreDeps) {
  const { store, writer, items, link, now } = deps;
  const core = createSessionCore(deps);
  const { sessionId, view, pages, publisher, turns, run, post, settle } = core;

  return {
    sessionId,
    ...view,
    pages,
    items,
    handle: core.handle,
    /** Starts handling the agent's events, after everything requested before. */
    listen: core.listen,
    ...createSending(core, store, writer),
    lastActive: core.lastActive,
    isFollowed: publisher.isFollowed,
    /** Marks the agent as used, so it isn't the longest idle one. */
    touch: core.touch,
    /** Changes of the row without a decision: titles, flags, choices. Durable once it resolves. */
    patch: (change: (row: SessionRow) => SessionRow): Promise<void> => run(() => core.putRow(change(view.row()))),
    /** Writes a review's rows, in order with the session's other tasks. Durable once it resolves. */
    recordReview: (writes: readonly StoreWrite[]): Promise<void> =>
      run(async () => {
        if (writes.length > 0) await writer.write(writes);
      }),
    publishComments: (comments: readonly ReviewComment[]): Promise<void> =>
      run(async () => publisher.publish([{ type: 'session:comments', payload: { comments: [...comments] } }])),
    publishFolderChanged: (changed: FolderChanged): void =>
      post(() => publisher.publish([{ type: 'session:changes', payload: changed }])),
    /** Adds the folder's changes to the end of a turn, for readers and on disk. */
    addTurnChanges: (turnId: string, changes: TurnChanges): Promise<void> =>
      run(async () => {
        const known = turns.unwritten().find((turn) => turn.turnId === turnId) ?? store.turn(sessionId, turnId);
        if (!known?.ended) return;
        const ended = { ...known.ended, changes };
        turns.put({ type: 'put-turn', row: { ...known, ended } });
        publisher.publish([{ type: 'session:turn', payload: ended }]);
      }),
    written: publisher.written,
    /** Merges turns that only the agent's own record has. True if there were any: readers then get a new history. */
    merge: (replay: ReplayedHistory): Promise<boolean> =>
      run(async () => {
        await writer.flush(sessionId);
        const added = mergeReplay(store, sessionId, replay, now());
        if (added.length === 0) return false;
        await writer.write(added);
        core.skipTakenPlaces();
        publisher.sendHistory();
        return true;
      }),
    /** Writes rows that change the history, and sends every reader a new one. Durable once it resolves. */
    rewriteHistory: (writes: readonly StoreWrite[]): Promise<void> =>
      run(async () => {
        await writer.flush(sessionId);
        await writer.write(writes);
        publisher.sendHistory();
      }),
    sendHistory: (): Promise<void> => run(async () => publisher.sendHistory()),
    loadFailed: (error: ProviderError): void => core.hear({ type: 'load-failed', error }),
    /** The folder's trust changed: takes effect now, or when the turn ends. */
    trustChanged: (): Promise<void> =>
      run(async () => {
        core.wantRenewal();
        // Also sends messages that couldn't be sent while the folder was untrusted.
        await settle({ type: 'advance' });
      }),
    /** Ends the idle agent's process; the next message wakes it. */
    sleep: (): Promise<void> =>
      run(async () => {
        const session = view.session();
        if (isBusy(session) || session.life === 'loading' || hasUnfinishedWork(session, link)) return;
        await link.kill();
        publisher.publish();
      }),
    /** The agent's output can't be written at present, or can be again. */
    setTrouble: (error: SessionError | null): void => post(() => core.setTrouble(error)),
    /** The server is stopping: running turns may end, waiting messages stay for the next start. */
    rest: core.rest,
    /** Resolves when everything received so far has been processed. */
    async settled(): Promise<void> {
      await run(async () => publisher.flushInfo());
      await deps.checkpoints?.idle();
    },
    /** Deletes the session, on disk too. */
    remove: (): Promise<void> =>
      run(async () => {
        await writer.write([{ type: 'remove-session', sessionId }]);
        core.close();
      }),
    close: core.close,
  };
}
