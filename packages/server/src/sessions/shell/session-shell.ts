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

/** One open session, and everything that can be done to it. Each thing has its place in the order of the session. */
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
    /** Takes in what the agent says, behind everything that was asked for before. */
    listen: core.listen,
    ...createSending(core, store, writer),
    lastActive: core.lastActive,
    isFollowed: publisher.isFollowed,
    /** Somebody uses the agent: it isn't the longest idle one. */
    touch: core.touch,
    /** Changes of the row that the rules don't depend on: titles, flags, choices. Durable once it resolves. */
    patch: (change: (row: SessionRow) => SessionRow): Promise<void> => run(() => core.putRow(change(view.row()))),
    /** Writes what belongs to a review, in its place among the other things of the session. Durable once it resolves. */
    recordReview: (writes: readonly StoreWrite[]): Promise<void> =>
      run(async () => {
        if (writes.length > 0) await writer.write(writes);
      }),
    publishComments: (comments: readonly ReviewComment[]): Promise<void> =>
      run(async () => publisher.publish([{ type: 'session:comments', payload: { comments: [...comments] } }])),
    publishFolderChanged: (changed: FolderChanged): void =>
      post(() => publisher.publish([{ type: 'session:changes', payload: changed }])),
    /** Adds to the end of a turn what changed in the folder, for readers and on disk. */
    addTurnChanges: (turnId: string, changes: TurnChanges): Promise<void> =>
      run(async () => {
        const known = turns.unwritten().find((turn) => turn.turnId === turnId) ?? store.turn(sessionId, turnId);
        if (!known?.ended) return;
        const ended = { ...known.ended, changes };
        turns.put({ type: 'put-turn', row: { ...known, ended } });
        publisher.publish([{ type: 'session:turn', payload: ended }]);
      }),
    written: publisher.written,
    /** Takes in what the agent's own record has and ours lacks; readers are then sent a new history. True if so. */
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
    /** Writes what makes another history of this one; every reader is sent it. Durable once it resolves. */
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
        // Also hands over what could not go in while the folder was not trusted.
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
    /** What the agent says cannot be written for now, or can be again. */
    setTrouble: (error: SessionError | null): void => post(() => core.setTrouble(error)),
    /** The server is going: what runs may end, what waits stays for the next start. */
    rest: core.rest,
    /** Everything received so far has been processed. */
    async settled(): Promise<void> {
      await run(async () => publisher.flushInfo());
      await deps.checkpoints?.idle();
    },
    /** Forgets the session, also on disk. */
    remove: (): Promise<void> =>
      run(async () => {
        await writer.write([{ type: 'remove-session', sessionId }]);
        core.close();
      }),
    close: core.close,
  };
}
