import { describe, expect, it, vi } from 'vitest';
import type { QueuedMessage, SessionMessage } from '@liminal/contracts';
import {
  appendMessage,
  historyMessage,
  message,
  permission,
  permissionMessage,
  turnComplete,
  turnMessage,
  turnStarted,
  upsertMessage,
} from '@liminal/domain/timeline/testing/messages';
import { createSessionStore, type Topic } from './session-store.ts';

const at = '2026-01-01T00:00:00.000Z';
const stamp = { sessionId: 's', epoch: 'e1', seq: 2 };
const waiting: QueuedMessage = { turnId: 't2', content: 'next', createdAt: at };

function setup() {
  const tasks: Array<() => void> = [];
  const store = createSessionStore(
    's',
    (task) => tasks.push(task),
    () => 5000,
  );
  const frame = (): void => tasks.splice(0).forEach((task) => task());
  return { store, frame };
}

describe('session-store', () => {
  it('notifies only the row of the growing item, once per frame', () => {
    const { store, frame } = setup();
    store.apply(historyMessage(1, { entries: [message('t1:1:0', { status: 'update', content: 'a', order: 1 })] }));
    frame();
    const [item, other, list] = [vi.fn(), vi.fn(), vi.fn()];
    store.subscribe('item:t1:1:0', item);
    store.subscribe('item:t1:1:1', other);
    store.subscribe('rows', list);
    store.apply(appendMessage(2, { itemId: 't1:1:0', offset: 1, text: 'b' }));
    store.apply(appendMessage(3, { itemId: 't1:1:0', offset: 2, text: 'c' }));
    frame();
    expect(item).toHaveBeenCalledTimes(1);
    expect(other).not.toHaveBeenCalled();
    expect(list).not.toHaveBeenCalled();
    expect(store.item('t1:1:0')).toMatchObject({ content: 'abc' });
  });

  it('notifies the list when a row is added', () => {
    const { store, frame } = setup();
    store.apply(historyMessage(1));
    const list = vi.fn();
    store.subscribe('rows', list);
    const before = store.rowsVersion();
    store.apply(upsertMessage(2, message('t1:1:0')));
    frame();
    expect(list).toHaveBeenCalledTimes(1);
    expect(store.rowsVersion()).toBeGreaterThan(before);
    expect(store.rows.at(0)).toMatchObject({ kind: 'text' });
  });

  it.each<[Topic, SessionMessage]>([
    ['permissions', permissionMessage(2, { state: 'open', request: permission('p1') })],
    ['queue', { ...stamp, type: 'session:queue', payload: { queue: [waiting] } }],
    ['status', { ...stamp, type: 'session:status', payload: { state: 'dead', activity: 'idle', isAlive: false } }],
    ['info', { ...stamp, type: 'session:info', payload: { title: 'Renamed' } }],
    ['comments', { ...stamp, type: 'session:comments', payload: { comments: [] } }],
    ['changes', { ...stamp, type: 'session:changes', payload: { at, watching: 'folder' } }],
    ['more', historyMessage(2, { hasMore: true })],
  ])('notifies subscribers of %s, and nobody else', (topic, news) => {
    const { store, frame } = setup();
    store.apply(historyMessage(1));
    frame();
    const topics: Topic[] = ['permissions', 'queue', 'status', 'info', 'comments', 'changes', 'more', 'rows'];
    const notified: Topic[] = [];
    for (const each of topics) store.subscribe(each, () => notified.push(each));
    store.apply(news);
    frame();
    expect(notified).toEqual([topic]);
  });

  it('requests an item with a gap', () => {
    const { store } = setup();
    store.apply(historyMessage(1));
    expect(store.apply(appendMessage(2, { itemId: 't1:1:0', offset: 4, text: 'late' }))).toEqual(['t1:1:0']);
  });

  it('knows the running turn and its start', () => {
    const { store } = setup();
    store.apply(historyMessage(1));
    expect(store.running()).toBeNull();
    store.apply(turnMessage(2, turnStarted()));
    expect(store.running()).toEqual({ turnId: 't1', since: 5000 });
    store.apply(turnMessage(3, turnComplete()));
    expect(store.running()).toBeNull();
  });

  it('takes the start of a turn from the history if it has one', () => {
    const { store } = setup();
    const startedAt = '1970-01-01T00:00:02.000Z';
    store.apply(historyMessage(1, { turns: [{ turnId: 't1', state: 'running', startedAt }] }));
    expect(store.running()).toEqual({ turnId: 't1', since: 2000 });
  });

  it('is ready with the first history, and reports why there is none', () => {
    const { store } = setup();
    store.refuse('There is no such session.');
    expect(store.load()).toEqual({ phase: 'failed', message: 'There is no such session.' });
    store.apply(historyMessage(1));
    expect(store.load()).toEqual({ phase: 'ready' });
    store.refuse('late');
    expect(store.load()).toEqual({ phase: 'ready' });
  });

  it('remembers what is expanded', () => {
    const { store, frame } = setup();
    const listener = vi.fn();
    store.subscribe('expanded:a', listener);
    store.setExpanded('a', true);
    frame();
    expect(store.isExpanded('a')).toBe(true);
    expect(listener).toHaveBeenCalledTimes(1);
  });
});
