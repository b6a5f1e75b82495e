import type { SessionSummary } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import type { Notice, NoticePermission } from '../../browser/browser-notices.ts';
import { createNotifier } from './notifier.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';

const session = (activity: string, part: object = {}): SessionSummary =>
  ({ sessionId: 's', title: 'Fix it', activity, ...part }) as SessionSummary;

function setup(answer: NoticePermission = 'granted') {
  let permission: NoticePermission = 'default';
  const shown: Notice[] = [];
  const closed = vi.fn();
  const chosen = vi.fn();
  let watched = false;
  const ask = vi.fn(async () => (permission = answer));
  const notifier = createNotifier({
    board: {
      permission: () => permission,
      ask,
      show(notice, onClick) {
        shown.push(notice);
        chosen.mockImplementation(onClick);
        return closed;
      },
    },
    storage: memoryStorage(),
    isWatched: () => watched,
    onChosen: chosen,
  });
  return { notifier, shown, closed, ask, watch: (is: boolean) => (watched = is) };
}

describe('notifier', () => {
  it('asks for nothing and shows nothing until it is turned on', () => {
    const { notifier, shown, ask } = setup();
    notifier.sessionChanged(session('working'), session('waiting'));
    expect(shown).toEqual([]);
    expect(ask).not.toHaveBeenCalled();
  });

  it('notifies that a session needs the user, and removes the notification once it was answered', async () => {
    const { notifier, shown, closed } = setup();
    await notifier.turnOn();
    notifier.sessionChanged(session('working'), session('waiting'));
    notifier.sessionChanged(session('waiting'), session('waiting'));
    expect(shown).toEqual([{ tag: 's', title: 'Fix it', body: 'Needs you' }]);
    notifier.sessionChanged(session('waiting'), session('working'));
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it('notifies about the end of a turn, but not while the user looks at the page', async () => {
    const { notifier, shown, watch } = setup();
    await notifier.turnOn();
    const ended = { id: 't1', at: '2026-01-01T00:00:00.000Z' };
    notifier.sessionChanged(session('working'), session('idle', { ended }));
    notifier.sessionChanged(session('working'), session('idle', { ended, lastError: {} }));
    notifier.sessionChanged(session('idle', { ended }), session('asleep', { ended }));
    expect(shown.map((notice) => notice.body)).toEqual(['Done', 'Failed']);
    watch(true);
    notifier.sessionChanged(session('working'), session('waiting'));
    expect(shown).toHaveLength(2);
  });

  it('stays off if the browser refuses', async () => {
    const { notifier } = setup('denied');
    await notifier.turnOn();
    expect(notifier.get()).toEqual({ on: false, permission: 'denied' });
  });
});
