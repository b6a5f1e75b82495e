import type { SessionInfo, SessionStatus, SessionSummary, UpsertObject } from '@liminal/contracts';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import { type Session, sameStatus } from '@liminal/domain/session/session';
import type { SessionDirectory } from '../../bus/directory.ts';
import type { SessionBus } from '../../bus/session-bus.ts';
import type { UpsertDetail } from '../../providers/provider.ts';
import type { SessionRow } from '../../store/rows.ts';
import { feedSource, type SessionPages } from '../history/session-pages.ts';
import type { ItemWriter } from '../writing/item-writer.ts';
import type { SessionItems } from './session-items.ts';
import { throttleInfo } from './throttle-info.ts';

/** The current state of a session. */
export type SessionView = {
  readonly row: () => SessionRow;
  readonly session: () => Session;
  readonly status: () => SessionStatus;
  readonly info: () => SessionInfo;
  /** As lists show it. */
  readonly summary: () => SessionSummary;
};

export type SessionPublisherDeps = {
  readonly view: SessionView;
  readonly pages: SessionPages;
  readonly items: SessionItems;
  readonly writer: ItemWriter;
  readonly bus: SessionBus;
  readonly directory: SessionDirectory;
  /** Runs a task in order with the session's other tasks. */
  readonly post: (task: () => void) => void;
  readonly onError: (error: unknown) => void;
};

export type SessionPublisher = ReturnType<typeof createSessionPublisher>;

/** The only path from a session to its readers. The writer stores changes under the number they were published with. */
export function createSessionPublisher(deps: SessionPublisherDeps) {
  const { view, pages, items, writer, directory } = deps;
  const feed = deps.bus.open(view.row().sessionId, feedSource({ pages, items, ...view }));
  let sentStatus = view.status();
  directory.put(view.summary());

  /** Lists get the status every time, readers only when it differs from theirs. */
  const statusChange = (): ChangeBody[] => {
    const current = view.status();
    directory.put(view.summary());
    if (sameStatus(sentStatus, current)) return [];
    sentStatus = current;
    return [{ type: 'session:status', payload: current }];
  };
  const send = (changes: () => readonly ChangeBody[]): void => {
    try {
      items.persist(feed.epoch, feed.publish(changes()));
    } catch (error) {
      // The facts still hold: they are written, and readers get a history instead.
      deps.onError(error);
      items.persist(feed.epoch, []);
      feed.renew();
    }
  };
  const throttle = throttleInfo({
    published: view.info(),
    post: deps.post,
    publish(payload) {
      writer.add({ type: 'put-session', row: view.row() });
      send(() => [{ type: 'session:info', payload }, ...statusChange()]);
    },
  });

  return {
    /** Publishes these changes, and the status if it has changed. */
    publish: (changes: readonly ChangeBody[] = []): void =>
      send(() => [
        ...changes.map((change) => (change.type === 'session:upsert' ? items.take(change.payload) : change)),
        ...statusChange(),
      ]),
    publishItem: (upsert: UpsertObject, how?: UpsertDetail): void => send(() => [items.take(upsert, how)]),
    publishInfo: (): void => throttle.put(view.info()),
    /** Publishes the waiting info: its numbers are final. */
    flushInfo: throttle.flush,
    /** Sends every reader a new history. */
    sendHistory: feed.renew,
    /** This state of an item is on disk: memory releases it once it has ended. */
    written(row: Parameters<SessionItems['written']>[0]): void {
      if (items.written(row)) feed.release(`item:${row.itemId}`);
    },
    isFollowed: (): boolean => feed.followers() > 0,
    close(): void {
      throttle.stop();
      feed.close();
    },
  };
}
