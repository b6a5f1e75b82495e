import type { SessionSummary } from '@liminal/contracts';
import { attentionOf } from '@liminal/domain/session/attention';
import { createCell, type Cell } from '../base/cell.ts';
import type { NoticeBoard, NoticePermission } from '../../browser/browser-notices.ts';
import type { Storage } from '../../browser/storage.ts';
import { titleOf } from '../sessions/titles.ts';

export type Notifier = Cell<{ readonly on: boolean; readonly permission: NoticePermission }> & {
  readonly turnOn: () => Promise<void>;
  readonly turnOff: () => void;
  readonly sessionChanged: (before: SessionSummary | undefined, after: SessionSummary) => void;
};

type NotifierDeps = {
  readonly board: NoticeBoard;
  readonly storage: Storage;
  /** The user sees this page, so its own badges are enough. */
  readonly isWatched: () => boolean;
  readonly onChosen: (sessionId: string) => void;
};

const key = 'liminal.notifications';
const noticeLabels = { 'needs-you': 'Needs you', failed: 'Failed', done: 'Done' } as const;

/** Notifies a user who isn't looking that a session needs them, has failed or is done. Off by default. */
export function createNotifier({ board, storage, isWatched, onChosen }: NotifierDeps): Notifier {
  const read = () => ({
    on: storage.read(key) === '1' && board.permission() === 'granted',
    permission: board.permission(),
  });
  const cell = createCell(read());
  const shown = new Map<string, () => void>();

  const takeDown = (sessionId: string): void => {
    shown.get(sessionId)?.();
    shown.delete(sessionId);
  };
  const noticeFor = (before: SessionSummary, after: SessionSummary): string | null => {
    const { kind } = attentionOf(after);
    const wasEnded = before.ended?.id === after.ended?.id;
    if (attentionOf(before).kind === kind && wasEnded) return null;
    return kind === 'needs-you' || (!wasEnded && (kind === 'failed' || kind === 'done')) ? noticeLabels[kind] : null;
  };

  return {
    ...cell,
    async turnOn() {
      const permission = board.permission() === 'default' ? await board.ask() : board.permission();
      if (permission === 'granted') storage.write(key, '1');
      cell.set(read());
    },
    turnOff() {
      storage.write(key, null);
      cell.set(read());
    },
    sessionChanged(before, after) {
      if (before && attentionOf(before).kind === 'needs-you' && attentionOf(after).kind !== 'needs-you')
        takeDown(after.sessionId);
      if (before === undefined || !cell.get().on || isWatched()) return;
      const body = noticeFor(before, after);
      if (body === null) return;
      takeDown(after.sessionId);
      const notice = { tag: after.sessionId, title: titleOf(after), body };
      shown.set(
        after.sessionId,
        board.show(notice, () => onChosen(after.sessionId)),
      );
    },
  };
}
